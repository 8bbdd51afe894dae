"""What syncctl has around a sync: watching, deciding, looking for what is wrong, and moving."""
import json
import os
import shutil
import signal
import ssl
import subprocess
import time
import unittest
import urllib.parse
import urllib.request

from daemon import CONTAINER, binary
from test_sync_tool import ATTENTION, MODEL, OK, SCHEMA
import test_sync_tool

# How long a change may take to reach another device that watches, in seconds, on a busy machine.
PATIENCE = 60


class SyncVerbTests(unittest.TestCase):
    setUp = test_sync_tool.SyncToolTests.setUp
    start = test_sync_tool.SyncToolTests.start
    syncctl = test_sync_tool.SyncToolTests.syncctl
    local = test_sync_tool.SyncToolTests.local
    edit = test_sync_tool.SyncToolTests.edit
    promote = test_sync_tool.SyncToolTests.promote
    device = test_sync_tool.SyncToolTests.device
    objects = test_sync_tool.SyncToolTests.objects
    status = test_sync_tool.SyncToolTests.status

    def eventually(self, look, what):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if look():
                return
            time.sleep(0.05)
        self.fail(f"waited in vain for: {what}")

    def test_devices_that_watch_have_what_others_do_by_themselves(self):
        self.promote()
        self.device("ann.sqlite")
        self.device("ben.sqlite")
        watchers = [self.start("sync", name, "--watch") for name in ("ann.sqlite", "ben.sqlite")]
        try:
            self.edit("ann.sqlite", "insert", "LogEntry", "tailNumber=N628TS")
            self.eventually(lambda: self.objects("ben.sqlite", "LogEntry"), "the entry at the other device")
            self.edit("ben.sqlite", "set", "LogEntry", "last", "notes=calm")
            self.eventually(
                lambda: self.objects("ann.sqlite", "LogEntry") == self.objects("ben.sqlite", "LogEntry"),
                "the edit at the first device")
        except AssertionError as failure:
            self.fail(f"{failure}\n{self.end(watchers)}")
        said = self.end(watchers)
        self.assertEqual([watcher.returncode for watcher in watchers], [OK, OK], said)
        self.local("status", "ann.sqlite")

    def end(self, watchers):
        """Ends them, and returns what they said."""
        for watcher in watchers:
            watcher.send_signal(signal.SIGINT)
        said = [watcher.communicate(timeout=PATIENCE) for watcher in watchers]
        return "\n".join(out + error for out, error in said)

    def test_a_deleted_zone_stops_the_sync_until_somebody_decides(self):
        self.promote()
        self.device("ann.sqlite")
        self.edit("ann.sqlite", "insert", "LogEntry", "tailNumber=N628TS")
        self.syncctl("sync", "ann.sqlite")
        self.delete_zone()
        self.syncctl("sync", "ann.sqlite", expected=ATTENTION)
        self.assertEqual(self.status("ann.sqlite")["trouble"], "zoneDeleted")
        self.assertIn("syncctl resolve", self.local("status", "ann.sqlite", expected=ATTENTION))
        self.assertIn("deleted", self.local("resolve", "ann.sqlite", expected=ATTENTION))
        self.assertIn("decided: reupload", self.local("resolve", "ann.sqlite", "reupload"))
        self.assertIn("pushed 1", self.syncctl("sync", "ann.sqlite"))
        self.device("ben.sqlite")
        self.assertIn("pulled 1", self.syncctl("sync", "ben.sqlite"))
        self.assertIn("nothing has to be decided", self.local("resolve", "ann.sqlite"))

    def test_watching_ends_where_somebody_has_to_decide(self):
        self.promote()
        self.device("ann.sqlite")
        self.edit("ann.sqlite", "insert", "LogEntry", "tailNumber=N1")
        self.syncctl("sync", "ann.sqlite")
        watcher = self.start("sync", "ann.sqlite", "--watch")
        self.delete_zone()
        self.edit("ann.sqlite", "insert", "LogEntry", "tailNumber=N2")
        out, error = watcher.communicate(timeout=PATIENCE)
        self.assertEqual(watcher.returncode, ATTENTION, out + error)
        self.assertEqual(self.status("ann.sqlite")["trouble"], "zoneDeleted")

    def test_a_backup_that_was_put_back_is_noticed_though_the_server_has_grown_since(self):
        self.promote()
        self.device("ann.sqlite")
        self.edit("ann.sqlite", "insert", "LogEntry", "tailNumber=N1")
        self.syncctl("sync", "ann.sqlite")
        self.assertEqual(self.daemon.end(), 0)
        backup = f"{self.daemon.data}.backup"
        shutil.copytree(self.daemon.data, backup)
        self.daemon.start()
        self.edit("ann.sqlite", "insert", "LogEntry", "tailNumber=N2")
        self.syncctl("sync", "ann.sqlite")
        self.daemon.end()
        shutil.rmtree(self.daemon.data)
        os.rename(backup, self.daemon.data)
        self.assertIn("read everything again", self.daemon.command("restored"))
        self.daemon.start()
        self.device("ben.sqlite")
        for number in range(3, 7):
            self.edit("ben.sqlite", "insert", "LogEntry", f"tailNumber=N{number}")
            self.syncctl("sync", "ben.sqlite")
        self.syncctl("sync", "ann.sqlite", expected=ATTENTION)
        self.assertEqual(self.status("ann.sqlite")["trouble"], "serverRestored")
        self.local("resolve", "ann.sqlite", "reupload")
        self.syncctl("sync", "ann.sqlite")
        self.syncctl("sync", "ben.sqlite")
        self.assertEqual(len(self.objects("ann.sqlite", "LogEntry")), 6)
        self.assertEqual(self.objects("ann.sqlite", "LogEntry"), self.objects("ben.sqlite", "LogEntry"))

    def test_a_running_server_cannot_be_said_to_be_restored(self):
        done = subprocess.run(
            [binary(), "restored", "--data", self.daemon.data], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("another recordd serves", done.stderr)

    def delete_zone(self):
        tokens = urllib.parse.urlencode({
            "ckAPIToken": self.environment["CONTRAIL_API_TOKEN"],
            "ckWebAuthToken": self.environment["CONTRAIL_USER_TOKEN"]})
        body = {"operations": [{"operationType": "delete", "zone": {"zoneID": {"zoneName": "Contrail"}}}]}
        request = urllib.request.Request(
            f"{self.url}/database/1/{CONTAINER}/production/private/zones/modify?{tokens}",
            json.dumps(body).encode(), {"Content-Type": "application/json"})
        context = ssl.create_default_context(cafile=self.certificate.authority)
        opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context))
        with opener.open(request, timeout=PATIENCE) as answer:
            self.assertEqual(answer.status, 200)

    def test_the_doctor_tells_what_is_wrong_and_the_next_command(self):
        self.device("ann.sqlite")
        self.edit("ann.sqlite", "insert", "LogEntry", "tailNumber=N628TS")
        found = self.syncctl("doctor", "ann.sqlite", expected=ATTENTION)
        self.assertIn("production   lacks", found)
        self.assertIn("syncctl promote ann.sqlite", found)
        self.promote()
        self.syncctl("sync", "ann.sqlite")
        healthy = json.loads(self.syncctl("doctor", "ann.sqlite", "--json"))
        self.assertEqual(
            [check["check"] for check in healthy["checks"]],
            ["file", "sync", "changes", "schema", "server", "credentials", "zone", "production"])
        self.environment["CONTRAIL_USER_TOKEN"] = "wrong"
        refused = self.syncctl("doctor", "ann.sqlite", expected=ATTENTION)
        self.assertIn("refuses", refused)
        self.daemon.kill()
        self.assertIn("no answer", self.syncctl("doctor", "ann.sqlite", expected=ATTENTION))

    def test_a_store_can_promote_its_container_and_list_its_zones(self):
        self.device("ann.sqlite")
        server = ["--server", self.url, "--container", CONTAINER]
        self.syncctl("schema", "import", str(MODEL), "--profile", "native", *server)
        self.edit("ann.sqlite", "insert", "LogEntry", "tailNumber=N628TS")
        self.syncctl("sync", "ann.sqlite", expected=SCHEMA)
        self.assertIn("could be promoted", self.syncctl("promote", "ann.sqlite", "--dry-run"))
        self.assertIn("promoted", self.syncctl("promote", "ann.sqlite"))
        self.assertIn("pushed 1", self.syncctl("sync", "ann.sqlite"))
        self.assertIn("Contrail  ← the store's", self.syncctl("zones", "ann.sqlite"))

    def test_a_store_is_moved_to_another_container_and_the_old_one_stays(self):
        self.promote()
        self.device("ann.sqlite")
        self.edit("ann.sqlite", "fill", "LogEntry", "700", "tailNumber=N#")
        self.syncctl("sync", "ann.sqlite")
        before = (self.folder / "ann.sqlite").read_bytes()
        production = dict(self.environment)
        self.environment["CONTRAIL_API_TOKEN"] = self.daemon.api_token
        self.environment["CONTRAIL_USER_TOKEN"] = self.daemon.command(
            "user", "token", "owner", "--container", CONTAINER, "--environment", "development"
        ).split()[-1]
        words = [
            "migrate-container", "ann.sqlite", "--container", CONTAINER, "--environment", "development",
            "--to", "new.sqlite"]
        cut = self.start(*words)
        time.sleep(0.2)
        cut.kill()
        cut.communicate()
        told = self.syncctl(*words)
        self.assertIn("equal: 700 records", told)
        self.assertEqual(before, (self.folder / "ann.sqlite").read_bytes())
        self.assertIn("pushed 0", self.syncctl("sync", "new.sqlite"))
        self.assertEqual(self.objects("new.sqlite", "LogEntry"), self.objects("ann.sqlite", "LogEntry"))
        self.environment = production
        self.assertIn("equal", self.syncctl("verify", "ann.sqlite"))

    def test_a_store_with_unsent_changes_is_not_moved(self):
        self.promote()
        self.device("ann.sqlite")
        self.edit("ann.sqlite", "insert", "LogEntry", "tailNumber=N628TS")
        done = self.start(
            "migrate-container", "ann.sqlite", "--container", "org.example.other", "--to", "new.sqlite")
        out, error = done.communicate(timeout=PATIENCE)
        self.assertNotEqual(done.returncode, OK, out)
        self.assertIn("sync it first", error)


if __name__ == "__main__":
    unittest.main()
