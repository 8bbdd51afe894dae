"""Values of several megabytes go from store to store through a real recordd, also where a process is
killed while it sends one."""
import hashlib
import json
import os
import pathlib
import socket
import sqlite3
import unittest

from daemon import CONTAINER, Daemon
from slow_proxy import SlowProxy
from test_sync_tool import OK, PENDING
import test_sync_tool

MODEL = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="">
    <entity name="Photo" representedClassName="Photo" syncable="YES">
        <attribute name="caption" optional="YES" attributeType="String"/>
        <attribute name="picture" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
    </entity>
</model>
"""

# Larger than what any one read or write moves.
BYTES = 3 << 20


class SyncFileTests(unittest.TestCase):
    def setUp(self):
        test_sync_tool.SyncToolTests.setUp(self)
        # Another server than that of the other tests: behind the proxy, which its addresses name.
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.proxy = self.enterContext(SlowProxy())
        self.proxy.target = port
        self.url = f"https://localhost:{self.proxy.port}"
        daemon = Daemon("--public-url", self.url, certificate=self.certificate)
        daemon.address = f"127.0.0.1:{port}"
        self.daemon = self.enterContext(daemon)
        self.environment.update({
            "CONTRAIL_MANAGEMENT_TOKEN": self.daemon.management_token,
            "CONTRAIL_API_TOKEN": self.daemon.production_api_token,
            "CONTRAIL_USER_TOKEN": self.daemon.command(
                "user", "token", "owner", "--container", CONTAINER, "--environment", "production"
            ).split()[-1],
        })
        model = self.folder / "Album.xcdatamodel"
        model.mkdir()
        (model / "contents").write_text(MODEL, encoding="utf-8")
        test_sync_tool.SyncToolTests.promote(self, model)
        for name in ("ann.sqlite", "ben.sqlite"):
            self.local(
                "init", name, "--schema", str(model), "--server", self.url, "--container", CONTAINER)

    start = test_sync_tool.SyncToolTests.start
    syncctl = test_sync_tool.SyncToolTests.syncctl
    local = test_sync_tool.SyncToolTests.local
    edit = test_sync_tool.SyncToolTests.edit
    status = test_sync_tool.SyncToolTests.status

    def new_file(self, name, count=BYTES):
        path = self.folder / name
        path.write_bytes(os.urandom(count))
        return path

    def digest(self, path):
        return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()

    def picture(self, store):
        """The digest of the picture that a store has; None for none."""
        path = self.folder / "shown"
        path.unlink(missing_ok=True)
        self.edit(store, "export", "Photo", "last", "picture", str(path))
        return self.digest(path) if path.exists() else None

    def stored_files(self):
        """The files that the server has, whole ones."""
        return [
            path for path in pathlib.Path(self.daemon.data).rglob("*.assets/*/*")
            if path.is_file() and path.parent.name != "new"]

    def test_a_value_of_megabytes_goes_across_and_comes_back_changed(self):
        first, second = self.new_file("first"), self.new_file("second")
        self.edit("ann.sqlite", "insert", "Photo", "caption=c", f"picture=@{first}")
        self.assertIn("pushed 1", self.syncctl("sync", "ann.sqlite"))
        self.assertIn("pulled 1", self.syncctl("sync", "ben.sqlite"))
        self.assertEqual(self.picture("ben.sqlite"), self.digest(first))
        self.edit("ben.sqlite", "set", "Photo", "last", f"picture=@{second}")
        self.syncctl("sync", "ben.sqlite")
        self.syncctl("sync", "ann.sqlite")
        self.assertEqual(self.picture("ann.sqlite"), self.digest(second))
        for store in ("ann.sqlite", "ben.sqlite"):
            self.syncctl("verify", store)
            self.assertIn("pushed 0, pulled 0", self.syncctl("sync", store))

    def test_a_process_that_is_killed_while_it_sends_a_file_loses_nothing(self):
        pictures = [self.new_file(f"picture-{number}") for number in range(3)]
        for picture in pictures:
            self.edit("ann.sqlite", "insert", "Photo", f"picture=@{picture}")
        # The first is through, the second is being sent.
        self.proxy.stall(after=BYTES + BYTES // 2)
        process = self.start("sync", "ann.sqlite")
        self.assertTrue(self.proxy.stalled.wait(60), "nothing was sent")
        process.kill()
        process.communicate()
        self.proxy.release()
        self.assertEqual(len(self.stored_files()), 1)
        self.assertEqual(self.status("ann.sqlite")["pending"], 3)
        kept = sqlite3.connect(self.folder / "ann.sqlite").execute(
            "SELECT count(*) FROM contrail_sync_file WHERE receipt IS NOT NULL").fetchone()[0]
        self.assertEqual(kept, 1)

        self.assertIn("pushed 3", self.syncctl("sync", "ann.sqlite"))
        self.assertEqual(len(self.stored_files()), 3)
        self.syncctl("sync", "ben.sqlite")
        self.assertEqual(self.picture("ben.sqlite"), self.digest(pictures[2]))
        self.syncctl("verify", "ben.sqlite")

    def test_a_file_that_the_server_has_lost_is_told_and_comes_when_it_is_there_again(self):
        picture = self.new_file("picture")
        self.edit("ann.sqlite", "insert", "Photo", "caption=c", f"picture=@{picture}")
        self.syncctl("sync", "ann.sqlite")
        [stored] = self.stored_files()
        aside = self.folder / "aside"
        stored.rename(aside)
        self.syncctl("sync", "ben.sqlite", expected=PENDING)
        self.assertEqual(self.status("ben.sqlite")["awaitedFiles"], 1)
        self.assertIn("file", self.local("status", "ben.sqlite", expected=PENDING))
        told = json.loads(self.local("explain", "ben.sqlite", "Photo/1", "--json"))
        self.assertEqual(told["files"][0]["code"], "FILE_MISSING")
        self.assertIsNone(self.picture("ben.sqlite"))
        aside.rename(stored)
        self.local("failed", "ben.sqlite", "retry", expected=OK)
        self.syncctl("sync", "ben.sqlite")
        self.assertEqual(self.picture("ben.sqlite"), self.digest(picture))


if __name__ == "__main__":
    unittest.main()
