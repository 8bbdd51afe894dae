"""SIGTERM cuts no request, and SIGHUP brings another certificate."""
import http.client
import signal
import ssl
import tempfile
import threading
import unittest

from daemon import Certificate, Daemon

CLIENTS = 8
# Requests that each client has had answered before the signal falls.
WARM_UP = 5


class Asking:
    """A client that keeps one connection, and asks until the server says that it is the last answer."""

    def __init__(self, daemon, number):
        self.client = daemon.client()
        self.number = number
        self.answers = 0
        self.was_told = False
        self.problem = None
        self.is_warm = threading.Event()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        try:
            while not self.was_told:
                self.ask()
        except Exception as error:  # pylint: disable=broad-except
            self.problem = error
        finally:
            self.is_warm.set()
            self.client.close()

    def ask(self):
        name = f"client{self.number}-{self.answers}"
        record = {"recordName": name, "recordType": "Thing", "fields": {"n": {"value": self.answers}}}
        answer = self.client.call("records/modify", {
            "zoneID": {"zoneName": "zone"},
            "operations": [{"operationType": "create", "record": record}]})
        assert answer["records"][0]["recordName"] == name, answer
        self.answers += 1
        self.was_told = self.client.headers.get("connection", "").lower() == "close"
        if self.answers == WARM_UP:
            self.is_warm.set()


class Ending(unittest.TestCase):
    def test_sigterm_cuts_no_request_and_says_that_the_connection_ends(self):
        with Daemon() as daemon:
            maker = daemon.client()
            maker.make_zone("zone")
            maker.close()
            clients = [Asking(daemon, number) for number in range(CLIENTS)]
            for client in clients:
                client.is_warm.wait()
            code = daemon.end()
            for client in clients:
                client.thread.join()
            self.assertEqual([client.problem for client in clients], [None] * CLIENTS)
            self.assertEqual([client.was_told for client in clients], [True] * CLIENTS)
            self.assertEqual(code, 0, daemon.log()[-1000:])
            self.assert_all_is_there(daemon, clients)

    def assert_all_is_there(self, daemon, clients):
        daemon.start()
        reader = daemon.client()
        for client in clients:
            names = [f"client{client.number}-{i}" for i in range(client.answers)]
            for first in range(0, len(names), 200):
                found = reader.call("records/lookup", {
                    "zoneID": {"zoneName": "zone"},
                    "records": [{"recordName": name} for name in names[first:first + 200]]})
                self.assertNotIn("serverErrorCode", str(found))
        reader.close()

    def test_after_sigterm_nobody_connects_any_more(self):
        with Daemon() as daemon:
            self.assertEqual(daemon.client().request("GET", "/health")[0], 200)
            self.assertEqual(daemon.end(), 0)
            with self.assertRaises(OSError):
                daemon.client().request("GET", "/health")

    def test_sigint_ends_it_as_well(self):
        with Daemon() as daemon:
            daemon.signal(signal.SIGINT)
            self.assertEqual(daemon.process.wait(60), 0)


class Reloading(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.first = Certificate(self.folder, "first")
        self.second = Certificate(self.folder, "second")
        self.daemon = self.enterContext(Daemon(certificate=self.first))

    def is_served_with(self, certificate):
        context = ssl.create_default_context(cafile=certificate.authority)
        connection = http.client.HTTPSConnection(
            "localhost", self.daemon.port, timeout=60, context=context)
        try:
            connection.request("GET", "/health")
            return connection.getresponse().status == 200
        except ssl.SSLCertVerificationError:
            return False
        finally:
            connection.close()

    @staticmethod
    def copy(source, destination):
        with open(source, "rb") as old, open(destination, "wb") as new:
            new.write(old.read())

    def hang_up(self, wanted):
        self.daemon.signal(signal.SIGHUP)
        self.daemon.wait_for_log(wanted)

    def test_sighup_brings_another_certificate_and_open_connections_go_on(self):
        self.assertTrue(self.is_served_with(self.first))
        open_before = self.daemon.client()
        open_before.make_zone("before")
        self.copy(self.second.chain, self.first.chain)
        self.copy(self.second.key, self.first.key)
        self.hang_up("reloaded")
        self.assertTrue(self.is_served_with(self.second))
        self.assertFalse(self.is_served_with(self.first))
        open_before.make_zone("after")
        open_before.close()

    def test_a_certificate_that_is_none_changes_nothing(self):
        with open(self.first.chain, "w", encoding="ascii") as file:
            file.write("nonsense\n")
        self.hang_up("reload ")
        self.assertTrue(self.is_served_with(self.first))

    def test_sighup_finds_a_container_that_was_added(self):
        target = "/database/1/iCloud.org.example.more/development/public/records/lookup"
        self.daemon.command("container", "add", "iCloud.org.example.more")
        token = self.daemon.command("token", "add", "more", "--container", "iCloud.org.example.more")
        client = self.daemon.client()
        address = f"{target}?ckAPIToken={token}"
        body = b'{"records":[{"recordName":"none"}]}'
        self.assertEqual(client.request("POST", address, body)[0], 401)
        self.hang_up("reloaded")
        status, answer = client.request("POST", address, body)
        self.assertEqual((status, answer["records"][0]["serverErrorCode"]), (200, "NOT_FOUND"))
        client.close()


if __name__ == "__main__":
    unittest.main()
