"""syncctl syncs stores with a real recordd, over TLS; and is killed while it does."""
import json
import os
import pathlib
import random
import subprocess
import tempfile
import time
import unittest

from daemon import CONTAINER, Certificate, Daemon, binary

BINARIES = pathlib.Path(binary()).parent
MODEL = (
    pathlib.Path(__file__).resolve().parents[2] / "Schemas" / "demo" / "FlightLog.xcdatamodeld"
    / "FlightLog.xcdatamodel")

# Exit codes of syncctl: see Sources/Tools/syncctl/Sync/SyncExits.swift.
OK, USAGE, ATTENTION, PENDING, SCHEMA = 0, 2, 10, 11, 13

# How many times a process is killed.
KILLS = int(os.environ.get("CONTRAIL_SYNC_KILLS", "200"))


class SyncToolTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="sync-tool-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.certificate = Certificate(folder.name)
        self.daemon = self.enterContext(Daemon(certificate=self.certificate))
        self.url = f"https://localhost:{self.daemon.port}"
        self.environment = {
            **os.environ,
            "CONTRAIL_MANAGEMENT_TOKEN": self.daemon.management_token,
            "CONTRAIL_API_TOKEN": self.daemon.production_api_token,
            "CONTRAIL_USER_TOKEN": self.daemon.command(
                "user", "token", "owner", "--container", CONTAINER, "--environment", "production"
            ).split()[-1],
        }

    def start(self, *words):
        return subprocess.Popen(
            [BINARIES / "syncctl", *words, "--ca-file", self.certificate.authority], cwd=self.folder,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.environment)

    def syncctl(self, *words, expected=OK):
        process = self.start(*words)
        out, error = process.communicate(timeout=120)
        self.assertEqual(process.returncode, expected, out + error)
        return out

    def local(self, *words, expected=OK):
        """A verb that asks no server."""
        done = subprocess.run(
            [BINARIES / "syncctl", *words], cwd=self.folder, capture_output=True, text=True,
            env=self.environment)
        self.assertEqual(done.returncode, expected, done.stdout + done.stderr)
        return done.stdout

    def edit(self, store, *words):
        return subprocess.run(
            [BINARIES / "store-editor", store, *words], cwd=self.folder, check=True,
            capture_output=True, text=True).stdout.strip()

    def promote(self, schema=MODEL):
        server = ["--server", self.url, "--container", CONTAINER]
        self.syncctl("schema", "import", str(schema), "--profile", "native", *server)
        self.syncctl("schema", "promote", *server)

    def device(self, name):
        self.local(
            "init", name, "--schema", str(MODEL), "--server", self.url, "--container", CONTAINER)

    def objects(self, store, entity):
        """What a store's objects of an entity say, whatever their keys are."""
        told = json.loads(self.local("query", store, entity, "--json"))
        rows = []
        for row in told["objects"]:
            values = {
                key: value for key, value in row.get("values", row).items() if key not in ("key",)}
            rows.append(json.dumps(values, sort_keys=True))
        return sorted(rows)

    def status(self, store):
        done = subprocess.run(
            [BINARIES / "syncctl", "status", store, "--json"], cwd=self.folder, capture_output=True,
            text=True, env=self.environment)
        return json.loads(done.stdout)

    def test_two_devices_exchange_what_both_edited(self):
        self.promote()
        self.device("ann.sqlite")
        self.device("ben.sqlite")
        self.edit("ann.sqlite", "insert", "LogEntry", "tailNumber=N628TS", "duration=1.5")
        self.assertIn("pushed 1", self.syncctl("sync", "ann.sqlite"))
        self.assertIn("pulled 1", self.syncctl("sync", "ben.sqlite"))
        self.edit("ann.sqlite", "set", "LogEntry", "last", "tailNumber=N1")
        self.edit("ben.sqlite", "set", "LogEntry", "last", "duration=2.5")
        self.assertEqual(self.status("ben.sqlite")["pending"], 1)
        self.local("status", "ben.sqlite", expected=PENDING)
        self.syncctl("sync", "ann.sqlite")
        self.assertIn("merged 1", self.syncctl("sync", "ben.sqlite"))
        self.syncctl("sync", "ann.sqlite")
        self.assertEqual(
            self.objects("ann.sqlite", "LogEntry"), self.objects("ben.sqlite", "LogEntry"))
        self.local("status", "ann.sqlite")

    def test_what_production_lacks_waits_for_its_promotion(self):
        self.device("ann.sqlite")
        self.edit("ann.sqlite", "insert", "LogEntry", "tailNumber=N628TS")
        self.syncctl("sync", "ann.sqlite", expected=SCHEMA)
        self.assertEqual(self.status("ann.sqlite")["parked"], 1)
        self.promote()
        self.assertIn("pushed 1", self.syncctl("sync", "ann.sqlite"))
        self.local("status", "ann.sqlite")

    def test_an_edit_of_what_was_deleted_elsewhere_is_listed_and_given_up(self):
        self.promote()
        self.device("ann.sqlite")
        self.device("ben.sqlite")
        self.edit("ann.sqlite", "insert", "LogEntry", "tailNumber=N628TS")
        self.syncctl("sync", "ann.sqlite")
        self.syncctl("sync", "ben.sqlite")
        self.edit("ann.sqlite", "delete", "LogEntry", "last")
        self.edit("ben.sqlite", "set", "LogEntry", "last", "notes=precious")
        self.syncctl("sync", "ann.sqlite")
        self.syncctl("sync", "ben.sqlite", expected=ATTENTION)
        listed = self.local("failed", "ben.sqlite", expected=ATTENTION)
        self.assertIn("DELETED_REMOTELY", listed)
        self.assertIn("precious", listed)
        exported = json.loads(self.local("failed", "ben.sqlite", "export", expected=ATTENTION))
        name = exported["failed"][0]["recordName"]
        self.local("failed", "ben.sqlite", "retry", "nobody", expected=USAGE)
        self.assertEqual(
            self.local("failed", "ben.sqlite", "recreate", name),
            "1 change made anew, and sent by the next sync\n")
        self.syncctl("sync", "ben.sqlite")
        self.syncctl("sync", "ann.sqlite")
        self.assertIn("precious", self.local("show", "ann.sqlite", "LogEntry"))
        self.edit("ann.sqlite", "delete", "LogEntry", "last")
        self.edit("ben.sqlite", "set", "LogEntry", "last", "notes=lost")
        self.syncctl("sync", "ann.sqlite")
        self.syncctl("sync", "ben.sqlite", expected=ATTENTION)
        self.local("failed", "ben.sqlite", "discard")
        self.local("status", "ben.sqlite")

    def test_one_process_at_a_time_syncs_a_store(self):
        self.promote()
        self.device("ann.sqlite")
        self.edit("ann.sqlite", "fill", "LogEntry", "3000", "tailNumber=N#")
        first, second = self.start("sync", "ann.sqlite"), self.start("sync", "ann.sqlite")
        codes = []
        for process in (first, second):
            process.communicate(timeout=120)
            codes.append(process.returncode)
        self.assertIn(OK, codes)
        self.syncctl("sync", "ann.sqlite")
        self.device("ben.sqlite")
        self.syncctl("sync", "ben.sqlite")
        self.assertEqual(len(self.objects("ben.sqlite", "LogEntry")), 3000)

    def test_kills_lose_nothing_and_make_nothing_twice(self):
        self.promote()
        self.device("ann.sqlite")
        self.device("ben.sqlite")
        seed = random.randrange(1 << 30)
        print(f"seed {seed}")
        dice = random.Random(seed)
        for number in range(KILLS):
            store = dice.choice(["ann.sqlite", "ben.sqlite"])
            self.edit(store, "fill", "LogEntry", "20", f"tailNumber=K{number}-#", "duration=1")
            if number % 3 == 0:
                self.edit(store, "set", "LogEntry", "last", f"notes=r{number}")
            process = self.start("sync", store)
            time.sleep(dice.uniform(0, 0.25))
            process.kill()
            process.communicate()
        for _ in range(2):
            for store in ("ann.sqlite", "ben.sqlite"):
                self.syncctl("sync", store)
        ann, ben = self.objects("ann.sqlite", "LogEntry"), self.objects("ben.sqlite", "LogEntry")
        self.assertEqual(len(ann), 20 * KILLS)
        self.assertEqual(ann, ben)


if __name__ == "__main__":
    unittest.main()
