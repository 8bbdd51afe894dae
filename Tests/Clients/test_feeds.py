"""Change feeds over HTTP while many write: each change comes once and in order, and nothing is missed.

    FEED_SEED=7 Tests/Clients/run test_feeds
"""
import os
import random
import threading
import time
import unittest

from daemon import Daemon
from mirror import Mirror, tag_order

SEED = int(os.environ.get("FEED_SEED", "0")) or random.SystemRandom().randrange(1, 1 << 32)

ZONES = ["north", "east", "south"]
WRITERS = 6
REQUESTS_PER_WRITER = 30
# All writers write to the same records.
NAMES = [f"record{i}" for i in range(40)]
BATCH_MAX = 6
PAGE = 5


class Crowd:
    """Writers of all zones, and one reader for each zone."""

    def __init__(self, daemon, seed):
        self.daemon, self.seed = daemon, seed
        self.lock = threading.Lock()
        # Each change that was acknowledged: (zone, name, tag), and in which state it left the record.
        self.changes = {}
        self.failures = []
        self.is_over = threading.Event()
        self.mirrors = {}
        self.seen = {zone: [] for zone in ZONES}

    def run(self):
        client = self.daemon.client()
        for zone in ZONES:
            client.make_zone(zone)
        client.close()
        readers = [self.thread(self.read, zone) for zone in ZONES]
        writers = [self.thread(self.write, number) for number in range(WRITERS)]
        for thread in writers:
            thread.join()
        self.is_over.set()
        for thread in readers:
            thread.join()
        if self.failures:
            raise self.failures[0]

    def thread(self, run, *arguments):
        def work():
            client = self.daemon.client()
            try:
                run(client, *arguments)
            except Exception as error:  # pylint: disable=broad-except
                self.failures.append(error)
            client.close()

        thread = threading.Thread(target=work)
        thread.start()
        return thread

    def write(self, client, number):
        choose = random.Random(f"{self.seed}/{number}")
        for turn in range(REQUESTS_PER_WRITER):
            zone = choose.choice(ZONES)
            operations = [
                self.operation(choose, name, f"{number}.{turn}")
                for name in choose.sample(NAMES, choose.randint(1, BATCH_MAX))]
            body = {
                "zoneID": {"zoneName": zone}, "operations": operations,
                "atomic": choose.random() < 0.5}
            for record in client.call("records/modify", body)["records"]:
                assert "serverErrorCode" not in record, record
                # To delete what somebody else has deleted is no change, and has no tag.
                if "recordChangeTag" not in record:
                    continue
                state = None if record["deleted"] else record["fields"]["by"]["value"]
                with self.lock:
                    self.changes[zone, record["recordName"], record["recordChangeTag"]] = state

    @staticmethod
    def operation(choose, name, by):
        if choose.random() < 0.2:
            return {"operationType": "forceDelete", "record": {"recordName": name}}
        record = {"recordName": name, "recordType": "Thing", "fields": {"by": {"value": by}}}
        return {"operationType": "forceUpdate", "record": record}

    def read(self, client, zone):
        """Follows the feed, and once all is written, to its end."""
        mirror = self.mirrors[zone] = Mirror(client, zone, PAGE)
        mirror.notice = self.seen[zone].append
        while True:
            is_last = self.is_over.is_set()
            mirror.pull()
            if is_last:
                return
            time.sleep(0.005)


class Feeds(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        print(f"seed {SEED}", flush=True)
        cls.daemon = cls.enterClassContext(Daemon())
        cls.crowd = Crowd(cls.daemon, SEED)
        cls.crowd.run()

    def test_a_reader_ends_with_exactly_what_the_last_writers_left(self):
        for zone in ZONES:
            last = {}
            for (place, name, tag), state in self.crowd.changes.items():
                if place == zone and tag_order(tag) > last.get(name, (-1, None))[0]:
                    last[name] = (tag_order(tag), state)
            expected = {name: {"by": state} for name, (_, state) in last.items() if state is not None}
            self.assertEqual(self.crowd.mirrors[zone].records, expected, zone)

    def test_a_reader_sees_each_change_once_and_in_order_and_none_that_was_not_made(self):
        for zone in ZONES:
            seen = self.crowd.seen[zone]
            # That the tags rise is what the mirror itself holds the feed to.
            self.assertEqual(len({record["recordChangeTag"] for record in seen}), len(seen))
            for record in seen:
                state = None if record["deleted"] else record["fields"]["by"]["value"]
                key = (zone, record["recordName"], record["recordChangeTag"])
                self.assertEqual(self.crowd.changes.get(key, "never made"), state)

    def test_a_reader_who_comes_later_finds_the_same(self):
        client = self.daemon.client()
        for zone in ZONES:
            late = Mirror(client, zone, PAGE)
            names = late.pull()
            self.assertEqual(late.records, self.crowd.mirrors[zone].records)
            self.assertEqual(sorted(names), sorted(late.records), "live records only, each once")
        client.close()

    def test_the_feed_of_the_database_names_each_zone_that_changed(self):
        client = self.daemon.client()
        answer = client.call("changes/database", {})
        names = [zone["zoneID"]["zoneName"] for zone in answer["zones"]]
        self.assertEqual(sorted(set(names) & set(ZONES)), sorted(ZONES))
        self.assertEqual(len(names), len(set(names)))
        rest = client.call("changes/database", {"syncToken": answer["syncToken"]})
        self.assertEqual((rest["zones"], rest["moreComing"]), ([], False))
        client.close()


if __name__ == "__main__":
    unittest.main()
