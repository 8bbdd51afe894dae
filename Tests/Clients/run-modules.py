"""Runs the modules named test_*, or those that are named, and prints the totals."""
import importlib
import os
import pathlib
import sys
import time
import unittest

HERE = pathlib.Path(__file__).parent

# What needs other people's clients; everything else needs Python alone.
WITH_PACKAGES = ["test_pyicloud", "test_signed_requests"]


class Result(unittest.TextTestResult):
    """Names each test with its time, as one line."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.passed = 0
        self.started = 0.0

    def startTest(self, test):
        self.started = time.monotonic()
        super().startTest(test)

    def addSuccess(self, test):
        self.passed += 1
        seconds = time.monotonic() - self.started
        self.stream.writeln(f"{sentence(test)} ({seconds:.1f} s)")

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.stream.writeln(f"SKIPPED {sentence(test)}: {reason}")


def sentence(test):
    return test.id().rsplit(".", 1)[-1].removeprefix("test_").replace("_", " ")


def wanted_modules(arguments):
    found = sorted(path.stem for path in HERE.glob("test_*.py"))
    unknown = sorted(set(arguments) - set(found))
    if unknown:
        sys.exit(f"no module is named {unknown[0]}; there are: {', '.join(found)}")
    return arguments or found


def main(arguments):
    sys.path.insert(0, str(HERE))
    passed = failed = skipped = 0
    for name in wanted_modules(arguments):
        print(f"-- {name}", flush=True)
        missing = os.environ.get("CLIENTS_MISSING")
        if missing and name in WITH_PACKAGES:
            print(f"SKIPPED {name}: {missing}", flush=True)
            skipped += 1
            continue
        suite = unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module(name))
        outcome = unittest.TextTestRunner(
            stream=sys.stdout, resultclass=Result, verbosity=0).run(suite)
        passed += outcome.passed
        failed += len(outcome.failures) + len(outcome.errors)
        skipped += len(outcome.skipped)
    print(f"totals: {passed} passed, {failed} failed, {skipped} skipped")
    return 0 if failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
