"""Download of 1 GiB by curl, beside nginx in front of the same file."""

import os
import shutil

from figure import Figure, ratio_at_least
from nginx import Nginx
from processes import run
from session import GIGABYTE, Session


def measure(session: Session) -> list[Figure]:
    certificate, key = session.certificate()
    root = session.work / "root"
    root.mkdir()
    os.link(session.large_file(), root / "gigabyte")
    data = session.work / "downloads"
    with Nginx(session.work, root, certificate, key) as nginx:
        with session.basket(data=data) as basket:
            token = basket.token
            address = f"http://127.0.0.1:{basket.port}/v1/domains/Work/files/gigabyte"
            run(["curl", "-fsS", "--oauth2-bearer", token, "-T", str(root / "gigabyte"), address])
            plain = _rates(session, "plain", [
                [f"http://127.0.0.1:{basket.port}/v1/domains/Work/files/gigabyte", "--oauth2-bearer", token],
                [f"http://127.0.0.1:{nginx.plain_port}/gigabyte"],
            ])
        trust = ["--cacert", str(certificate)]
        options = ["--tls", "always", "--tls-certificate", str(certificate), "--tls-key", str(key)]
        with session.basket(*options, data=data, token=token) as basket:
            tls = _rates(session, "TLS", [
                [f"https://127.0.0.1:{basket.port}/v1/domains/Work/files/gigabyte", "--oauth2-bearer", token, *trust],
                [f"https://127.0.0.1:{nginx.tls_port}/gigabyte", *trust],
            ])
    shutil.rmtree(data)
    return [
        Figure("download of 1 GiB", plain[0], "MB/s", ratio_at_least(0.8), "nginx", plain[1]),
        Figure("download of 1 GiB, TLS", tls[0], "MB/s", ratio_at_least(0.5), "nginx, TLS", tls[1]),
        Figure("download of 1 GiB, TLS beside plain", tls[0], "MB/s", None, "nginx, plain", plain[1]),
    ]


def _rates(session: Session, name: str, sources: list[list[str]]) -> list[list[float]]:
    """Of each source, taking turns; after one turn that warms up."""
    rates: list[list[float]] = [[] for _ in sources]
    for turn in range(session.runs + 1):
        for source, found in zip(sources, rates):
            rate = _rate(source)
            if turn > 0:
                found.append(rate)
        if turn > 0:
            session.say(f"{name}: {rates[0][-1]:,.0f} MB/s, nginx {rates[1][-1]:,.0f} MB/s")
    return rates


def _rate(source: list[str]) -> float:
    told = run(["curl", "-fsS", "-o", "/dev/null", "-w", "%{size_download} %{speed_download}", *source])
    size, speed = told.split()
    if int(size) != GIGABYTE:
        raise RuntimeError(f"curl took {size} bytes from {source[0]}")
    return float(speed) / 1e6
