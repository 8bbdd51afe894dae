"""A real recordd in a folder of its own, and the plainest client for it."""
import http.client
import json
import os
import re
import shutil
import signal
import ssl
import subprocess
import tempfile
import time
import urllib.parse

CONTAINER = "contrail.local"
ENVIRONMENT = "development"

# How long the daemon may take to start or to end before a test gives up, in seconds.
PATIENCE = 60

# Tests ask more often than people do.
NO_RATE_LIMITS = [
    "--user-requests-per-second", "1000000",
    "--token-requests-per-second", "1000000",
    "--address-requests-per-second", "1000000",
]


def binary():
    """The recordd under test: Tests/Clients/run builds it and names it."""
    return os.environ["RECORDD"]


class Daemon:
    """A recordd process and its folder, which both end with the `with` that makes them."""

    def __init__(self, *options, certificate=None):
        self.folder = tempfile.mkdtemp(prefix="recordd-")
        self.data = os.path.join(self.folder, "data")
        self.options = [*NO_RATE_LIMITS, *options]
        self.certificate = certificate
        self.address = "127.0.0.1:0"
        self.process = None
        self.starts = 0

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        if self.process and self.process.poll() is None:
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    # The process

    def start(self):
        """Starts it, at the second time with what the first has left, and waits until it serves."""
        self._launch()
        self.url = self._started()
        parts = urllib.parse.urlsplit(self.url)
        self.port = parts.port
        self.address = f"127.0.0.1:{self.port}"
        if self.starts == 1:
            self._read_introduction()

    def start_and_kill(self, after):
        """Starts it, and kills it so many seconds later, whatever it is at."""
        self._launch()
        time.sleep(after)
        self.kill()

    def _launch(self):
        self.starts += 1
        call = [binary(), "serve", "--data", self.data, "--listen", self.address, *self.options]
        if self.certificate:
            call += ["--tls-certificate", self.certificate.chain, "--tls-key", self.certificate.key]
        with open(self._path("out"), "wb") as out, open(self._path("log"), "wb") as log:
            self.process = subprocess.Popen(call, stdin=subprocess.DEVNULL, stdout=out, stderr=log)

    def kill(self):
        """Ends it without a warning, as a power cut would end the process."""
        self.process.kill()
        self.process.wait()

    def signal(self, number):
        self.process.send_signal(number)

    def end(self):
        """Ends it as an administrator would, and tells its exit code."""
        self.signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)

    def log(self):
        with open(self._path("log"), encoding="utf-8", errors="replace") as file:
            return file.read()

    def wait_for_log(self, text):
        """Waits until the log has a line with the text."""
        return self._eventually(lambda: text in self.log(), f"no line with {text!r}")

    def resident_bytes(self):
        with open(f"/proc/{self.process.pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

    def _path(self, kind):
        return os.path.join(self.folder, f"{self.starts}.{kind}")

    def _started(self):
        found = self._eventually(
            lambda: re.search(r"\bstarted\b.*\burl=\"?(\S+?)\"?(\s|$)", self.log()), "it did not start")
        return found.group(1)

    def _eventually(self, look, problem):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = look()
            if found:
                return found
            if self.process.poll() is not None:
                break
            time.sleep(0.01)
        raise AssertionError(f"{problem}; exit code {self.process.poll()}, log:\n{self.log()[-2000:]}")

    def _read_introduction(self):
        with open(self._path("out"), encoding="utf-8") as file:
            text = file.read()
        self.management_token = re.search(r"management token +(\S+)", text).group(1)
        self.api_token = re.search(r"API token +(\S+) +development", text).group(1)
        self.production_api_token = re.search(r"API token +(\S+) +production", text).group(1)
        self.web_token = self.command("user", "token", "owner", "--container", CONTAINER)

    # What stands beside it

    def command(self, *arguments):
        """Runs another command of recordd on the folder, and gives what it prints."""
        done = subprocess.run(
            [binary(), *arguments, "--data", self.data], check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def credentials(self):
        return {"ckAPIToken": self.api_token, "ckWebAuthToken": self.web_token}

    def import_schema(self, text):
        """Makes the schema of development what the text says."""
        client = self.client()
        answer = client.request(
            "POST", f"/management/1/{CONTAINER}/schema/import", json.dumps({"schema": text}).encode(),
            {"Authorization": f"Bearer {self.management_token}"})
        client.close()
        if answer[0] != 200:
            raise AssertionError(answer)

    def base_url(self, database="private"):
        """Where pyicloud and its like begin."""
        return f"{self.url}/database/1/{CONTAINER}/{ENVIRONMENT}/{database}"

    def client(self, database="private", timeout=PATIENCE):
        return Client(self, database, timeout)


class Client:
    """One connection that is kept alive, and calls operations on it."""

    def __init__(self, daemon, database="private", timeout=PATIENCE):
        self.daemon, self.database = daemon, database
        if daemon.certificate:
            context = ssl.create_default_context(cafile=daemon.certificate.authority)
            self.connection = http.client.HTTPSConnection(
                "localhost", daemon.port, timeout=timeout, context=context)
        else:
            self.connection = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=timeout)
        self.headers = {}

    def target(self, path):
        query = urllib.parse.urlencode(self.daemon.credentials())
        return f"/database/1/{CONTAINER}/{ENVIRONMENT}/{self.database}/{path}?{query}"

    def post(self, path, body):
        """The status and the JSON of an answer."""
        return self.request("POST", self.target(path), json.dumps(body).encode())

    def request(self, method, target, body=None, headers=None):
        self.connection.request(method, target, body=body, headers=headers or {})
        response = self.connection.getresponse()
        data = response.read()
        self.headers = dict((name.lower(), value) for name, value in response.getheaders())
        is_json = self.headers.get("content-type", "").startswith("application/json")
        return response.status, json.loads(data) if is_json else data

    def call(self, path, body):
        """The JSON of an answer that has to be one of success."""
        status, answer = self.post(path, body)
        if status != 200:
            raise AssertionError(f"{path}: {status} {answer}")
        return answer

    def make_zone(self, name):
        operation = {"operationType": "create", "zone": {"zoneID": {"zoneName": name}}}
        return self.call("zones/modify", {"operations": [operation]})

    def close(self):
        self.connection.close()


class Certificate:
    """A certificate for this machine by an authority of its own, as files in a folder."""

    def __init__(self, folder, name="first"):
        def path(kind):
            return os.path.join(folder, f"{name}.{kind}")

        self.authority, self.chain, self.key = path("ca.pem"), path("pem"), path("key")
        authority_key, request, extensions = path("ca.key"), path("csr"), path("ext")
        with open(extensions, "w", encoding="ascii") as file:
            file.write("subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth\n")
        curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        self._openssl(
            "req", "-x509", *curve, "-keyout", authority_key, "-out", self.authority, "-days", "2",
            "-subj", f"/CN=Contrail test authority {name}",
            "-addext", "basicConstraints=critical,CA:TRUE",
            "-addext", "keyUsage=critical,keyCertSign,cRLSign")
        self._openssl(
            "req", *curve, "-keyout", self.key, "-out", request, "-subj", f"/CN=localhost {name}")
        self._openssl(
            "x509", "-req", "-in", request, "-CA", self.authority, "-CAkey", authority_key,
            "-CAcreateserial", "-days", "2", "-extfile", extensions, "-out", self.chain)

    @staticmethod
    def _openssl(*arguments):
        subprocess.run(["openssl", *arguments], check=True, capture_output=True)
