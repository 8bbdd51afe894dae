"""Stands between clients and a server, and can stop in the middle of what a client sends."""
import socket
import threading


class SlowProxy:
    """Hands on bytes both ways, as they are; after `stall_after` bytes of one connection it holds back
    what its client sends, until it is released."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.target = None
        self.stall_after = None
        self.stalled = threading.Event()
        self.released = threading.Event()

    def __enter__(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.released.set()
        self.listener.close()

    def stall(self, after):
        self.stalled.clear()
        self.released.clear()
        self.stall_after = after

    def release(self):
        self.stall_after = None
        self.released.set()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self.target))
            threading.Thread(target=self._serve, args=(client, server), daemon=True).start()

    def _serve(self, client, server):
        with client, server:
            back = threading.Thread(target=self._copy, args=(server, client), daemon=True)
            back.start()
            self._send(client, server)
            back.join()

    def _send(self, client, server):
        total = 0

        def hold(part):
            nonlocal total
            total += len(part)
            if self.stall_after is not None and total > self.stall_after:
                self.stalled.set()
                self.released.wait(60)

        self._copy(client, server, hold)

    @staticmethod
    def _copy(source, target, before=None):
        try:
            while True:
                part = source.recv(64 << 10)
                if not part:
                    break
                if before:
                    before(part)
                target.sendall(part)
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
