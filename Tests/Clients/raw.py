"""Bytes on a socket, for clients that keep to no rule."""
import socket


class Raw:
    """A socket to the daemon that sends exactly what it is told."""

    def __init__(self, daemon, receive_buffer=None, timeout=30):
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(timeout)
        self.socket.connect(("127.0.0.1", daemon.port))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def send(self, data):
        """Sends all; false when the server has ended the connection meanwhile."""
        try:
            self.socket.sendall(data)
            return True
        except OSError:
            return False

    def receive_all(self):
        """All that comes until the server ends, or pauses for long."""
        data = b""
        try:
            while part := self.socket.recv(1 << 16):
                data += part
        except OSError:
            pass
        return data

    def close(self):
        self.socket.close()


def head(target, *headers, method="POST"):
    """A head as it should be, with these headers."""
    lines = [f"{method} {target} HTTP/1.1", "Host: localhost", *headers]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def statuses(data):
    """The statuses of all responses in some bytes."""
    return [int(line.split()[1]) for line in data.split(b"\r\n") if line.startswith(b"HTTP/1.1 ")]


def header_lines(data):
    """The headers of the first response, as they stand there."""
    return data.split(b"\r\n\r\n", 1)[0].split(b"\r\n")[1:]
