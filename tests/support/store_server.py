"""An object store on loopback for tests: moto's S3 server, in a thread of this process."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import boto3
import pytest
from moto.server import ThreadedMotoServer

from simcore import places

BUCKET = "bucket"
#: What the server takes, and what must never be written anywhere.
SECRET = "a-secret-of-the-tests"


class Store:
    """The server, as a test sees it: its objects, and how it misbehaves."""

    def __init__(self, url: str, refusing: "_Refusing") -> None:
        self.url = url
        self.refusing = refusing
        self._client = boto3.client("s3", endpoint_url=url)

    def names(self, prefix: str = "") -> list[str]:
        """The names of all objects that begin so."""
        pages = self._client.get_paginator("list_objects_v2").paginate(Bucket=BUCKET, Prefix=prefix)
        return [one["Key"] for page in pages for one in page.get("Contents", [])]

    def read(self, name: str) -> bytes:
        """An object."""
        data: bytes = self._client.get_object(Bucket=BUCKET, Key=name)["Body"].read()
        return data


class _Refusing:
    """A WSGI application before another one: answers some requests with an error in its place."""

    def __init__(self) -> None:
        self.answer = "503 Slow Down", "SlowDown"
        self.left = 0
        self.methods: tuple[str, ...] = ("GET", "PUT", "HEAD", "DELETE", "POST")
        self.refused = 0

    def around(self, application):
        def answer(environ, start_response):
            if self.left > 0 and environ["REQUEST_METHOD"] in self.methods:
                self.left -= 1
                self.refused += 1
                status, code = self.answer
                start_response(status, [("Content-Type", "application/xml")])
                if environ["REQUEST_METHOD"] == "HEAD":  # whose answer has no body, ever
                    return [b""]
                return [f"<Error><Code>{code}</Code><Message>no</Message></Error>".encode()]
            return application(environ, start_response)

        return answer


@contextmanager
def store_server() -> Iterator[Store]:
    """A store with one bucket; its address and keys are in the environment."""
    refusing = _Refusing()
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ACCESS_KEY_ID", "tests")
        patch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        patch.setenv("AWS_MAX_ATTEMPTS", "1")
        server.start()
        try:
            inner = server._server
            assert inner is not None
            inner.app = refusing.around(inner.app)
            host, port = server.get_host_and_port()
            url = f"http://{host}:{port}"
            patch.setenv("AWS_ENDPOINT_URL", url)
            forget()
            boto3.client("s3", endpoint_url=url).create_bucket(Bucket=BUCKET)
            yield Store(url, refusing)
        finally:
            server.stop()
            forget()


def forget() -> None:
    """Let the next use of a store read the environment again."""
    places._file_system.cache_clear()
    try:
        import s3fs
    except ImportError:
        return
    s3fs.S3FileSystem.clear_instance_cache()
