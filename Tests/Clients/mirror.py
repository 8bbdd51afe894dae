"""A copy of a zone that is kept up by its feed alone, as a device would keep it."""


class Mirror:
    """The records of one zone by name, each with its tag and fields, and where the feed stands."""

    def __init__(self, client, zone, page):
        self.client, self.zone, self.page = client, zone, page
        self.token = None
        self.records = {}
        # The feed's order is that of the commits, across pages and pulls: each change comes once.
        self.last = -1
        self.pages = self.entries = 0
        # Called with each record that comes.
        self.notice = None

    def pull(self):
        """Reads to the end of the feed; gives the names in the order in which they came."""
        names = []
        while True:
            answer = self.client.call("changes/zone", self._request())["zones"][0]
            if "serverErrorCode" in answer:
                raise AssertionError(f"feed of {self.zone}: {answer}")
            if len(answer["records"]) > self.page:
                raise AssertionError(f"a page of {len(answer['records'])}, asked for {self.page}")
            for record in answer["records"]:
                self._apply(record)
                names.append(record["recordName"])
            # A page counts from here on: what comes before is applied again after a crash.
            self.token = answer["syncToken"]
            self.pages += 1
            if not answer["moreComing"]:
                return names

    def _request(self):
        request = {"zoneID": {"zoneName": self.zone}}
        if self.token:
            request["syncToken"] = self.token
        return {"zones": [request], "resultsLimit": self.page}

    def _apply(self, record):
        name = record["recordName"]
        order = tag_order(record["recordChangeTag"])
        if order <= self.last:
            raise AssertionError(f"{name} came with {order}, after {self.last} had come")
        self.last = order
        self.entries += 1
        if self.notice:
            self.notice(record)
        if record["deleted"]:
            self.records.pop(name, None)
        else:
            self.records[name] = {key: field["value"] for key, field in record["fields"].items()}


def tag_order(tag):
    """The place of a change in its zone: this server's tags are numbers in base 36."""
    return int(tag, 36)
