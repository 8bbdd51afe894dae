"""Hostile clients, all at once, against the whole daemon: its memory stays bounded, and a normal client is
served all the while.

    HOSTILE_IDLE=10000 HOSTILE_SECONDS=60 Tests/Clients/run test_hostile
"""
import json
import os
import re
import resource
import threading
import time
import unittest

from daemon import Daemon
from raw import Raw, head

MEBIBYTE = 1 << 20

# Idle connections beside everything else; scripts/soak has ten thousand.
IDLE = int(os.environ.get("HOSTILE_IDLE", "300"))
# How long the attack goes on, in seconds.
ATTACK = float(os.environ.get("HOSTILE_SECONDS", "4"))
# What all connections may hold together, as the daemon is told.
HELD_BYTES = 64 * MEBIBYTE
# The daemon with nothing to do, and what its requests need while they run.
RESIDENT_BASE = 160 * MEBIBYTE
# An idle connection's share.
RESIDENT_PER_IDLE = 8 * 1024
# What the process may never reach. Growing arrays and the allocator's gaps cost as much as the bytes held.
RESIDENT_MAX = RESIDENT_BASE + 2 * HELD_BYTES + IDLE * RESIDENT_PER_IDLE

# Open files that this process needs beside the idle connections.
OTHER_FILES = 1000

SLOW_CLIENTS = 100
LARGE_BODIES = 24
NEVER_READING = 14
ENDLESS = 10

ZONE = {"zoneName": "zone"}
# A page of about ten MiB, as the never-reading ask for it; the kernel takes some of that for itself.
RECORDS, RECORD_BYTES = 100, 100_000


class Attack:
    """A way to be hostile: what is opened at the start, and what is done again and again."""

    def __init__(self, daemon, count):
        self.daemon, self.count = daemon, count
        self.sockets = []

    def begin(self):
        self.sockets = [self.open() for _ in range(self.count)]

    def open(self):
        return Raw(self.daemon)

    def go_on(self):
        """Called until the attack is over."""

    def end(self):
        for raw in self.sockets:
            raw.close()


class SlowHeads(Attack):
    def go_on(self):
        for raw in self.sockets:
            raw.send(b"G")


class SlowBodies(Attack):
    def open(self):
        raw = Raw(self.daemon)
        raw.send(head("/database/1/contrail.local/development/private/records/modify",
                      f"Content-Length: {MEBIBYTE}"))
        return raw

    def go_on(self):
        for raw in self.sockets:
            raw.send(b"{" * 100)


class LargeBodies(Attack):
    """Bodies of which all has come but the end."""

    def begin(self):
        self.sockets = [self.open() for _ in range(self.count)]
        for raw in self.sockets:
            raw.socket.settimeout(2)
            raw.send(head("/database/1/contrail.local/development/private/records/modify",
                          f"Content-Length: {16 * MEBIBYTE}"))
            raw.send(bytes(16 * MEBIBYTE - 1))


class NeverReading(Attack):
    """Clients with a token who ask for large pages, again and again, and read none."""

    def open(self):
        raw = Raw(self.daemon, receive_buffer=4096)
        raw.socket.settimeout(0.2)
        return raw

    def go_on(self):
        body = json.dumps({"zones": [{"zoneID": ZONE}]}).encode()
        target = self.daemon_target()
        for number, raw in enumerate(self.sockets):
            if not raw.send(head(target, f"Content-Length: {len(body)}") + body):
                raw.close()
                self.sockets[number] = self.open()

    def daemon_target(self):
        return self.daemon.client().target("changes/zone")


class Endless(Attack):
    """Chunked bodies that never end."""

    def open(self):
        raw = Raw(self.daemon)
        raw.socket.settimeout(0.2)
        raw.send(head("/database/1/contrail.local/development/private/records/modify",
                      "Transfer-Encoding: chunked"))
        return raw

    def go_on(self):
        chunk = b"40000\r\n" + b" " * 0x40000 + b"\r\n"
        for number, raw in enumerate(self.sockets):
            if not raw.send(chunk):
                raw.close()
                self.sockets[number] = self.open()


class Idle(Attack):
    """Connections that say nothing."""


class NormalClient:
    """Writes and reads small records, and counts what is refused."""

    def __init__(self, daemon):
        self.client = daemon.client(timeout=30)
        self.served = 0
        self.slowest = 0.0

    def ask(self):
        started = time.monotonic()
        record = {"recordName": "mine", "recordType": "Small", "fields": {"n": {"value": self.served}}}
        self.client.call("records/modify", {
            "zoneID": ZONE, "operations": [{"operationType": "forceUpdate", "record": record}]})
        found = self.client.call("records/lookup", {"zoneID": ZONE, "records": [{"recordName": "mine"}]})
        assert found["records"][0]["fields"]["n"]["value"] == self.served, found
        self.served += 1
        self.slowest = max(self.slowest, time.monotonic() - started)


class Hostile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        if most < IDLE + OTHER_FILES:
            raise unittest.SkipTest(f"{IDLE} connections need more open files than the {most} allowed")
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        cls.daemon = cls.enterClassContext(Daemon("--held-bytes-max", str(HELD_BYTES)))
        client = cls.daemon.client()
        client.make_zone("zone")
        for first in range(0, RECORDS, 10):
            client.call("records/modify", {"zoneID": ZONE, "operations": [
                {"operationType": "create", "record": {
                    "recordName": f"large{i}", "recordType": "Large",
                    "fields": {"text": {"value": "x" * RECORD_BYTES}}}}
                for i in range(first, first + 10)]})
        client.close()

    def measure(self, client, name):
        """One of the daemon's own measures."""
        _, text = client.request("GET", "/metrics")
        return int(re.search(rf"^{name} (\d+)$".encode(), text, re.MULTILINE).group(1))

    def run_attacks(self, *attacks, overload):
        """Holds the daemon to its bounds while the attacks go on and a normal client is served.

        `overload` says whether the attacks ask for more than all connections may hold together.
        """
        over = threading.Event()
        problems = []

        def work(attack):
            try:
                attack.begin()
                while not over.wait(0.1):
                    attack.go_on()
            except Exception as error:  # pylint: disable=broad-except
                problems.append(error)
            finally:
                attack.end()

        threads = [threading.Thread(target=work, args=(attack,)) for attack in attacks]
        normal = NormalClient(self.daemon)
        before = self.measure(normal.client, "contrail_http_overloads_total")
        for thread in threads:
            thread.start()
        resident = held = crowd = 0
        end = time.monotonic() + ATTACK
        try:
            while time.monotonic() < end:
                normal.ask()
                resident = max(resident, self.daemon.resident_bytes())
                crowd = max(crowd, self.measure(normal.client, "contrail_http_connections_open"))
                held = max(held, self.measure(normal.client, "contrail_http_message_bytes"))
        finally:
            over.set()
            for thread in threads:
                thread.join()
        normal.ask()
        overloads = self.measure(normal.client, "contrail_http_overloads_total") - before
        normal.client.close()
        self.assertEqual(problems, [])
        print(
            f"{normal.served} requests of the normal client, the slowest {normal.slowest:.2f} s;"
            f" at most {resident / MEBIBYTE:.0f} of {RESIDENT_MAX / MEBIBYTE:.0f} MiB resident, for"
            f" {held / MEBIBYTE:.0f} of {HELD_BYTES / MEBIBYTE:.0f} MiB held;"
            f" up to {crowd} connections, {overloads} overloads",
            flush=True)
        self.assertLess(resident, RESIDENT_MAX)
        self.assertLessEqual(held, HELD_BYTES)
        self.assertEqual(overloads > 0, overload)
        return crowd

    def test_slow_clients_and_idle_ones_cost_little(self):
        crowd = self.run_attacks(
            SlowHeads(self.daemon, SLOW_CLIENTS), SlowBodies(self.daemon, SLOW_CLIENTS),
            Idle(self.daemon, IDLE), overload=False)
        self.assertGreater(crowd, IDLE)

    def test_large_bodies_that_never_end_are_bounded_together(self):
        self.run_attacks(LargeBodies(self.daemon, LARGE_BODIES), Endless(self.daemon, ENDLESS), overload=True)

    def test_clients_that_never_read_are_bounded_together(self):
        self.run_attacks(NeverReading(self.daemon, NEVER_READING), overload=True)


if __name__ == "__main__":
    unittest.main()
