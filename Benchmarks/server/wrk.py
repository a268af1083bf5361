"""Load through wrk, on one of its threads: the other core is the server's."""

import json
import os
from dataclasses import dataclass
from pathlib import Path

from basket import Basket
from processes import run

LUA = Path(__file__).parent / "lua"


@dataclass(frozen=True)
class Load:
    """What came out of it. Latencies in milliseconds."""

    per_second: float
    p50: float
    p99: float
    # The server's processor time for each request, in microseconds: beside others' work it says more
    # than the rate does.
    cost: float


def load(
    basket: Basket, script: str, connections: int, seconds: int, **variables: str | Path
) -> Load:
    """Variables reach the script as BENCH_…."""
    environment = os.environ | {"BENCH_LUA": str(LUA), "BENCH_TOKEN": basket.token}
    environment |= {f"BENCH_{name.upper()}": str(value) for name, value in variables.items()}
    used = basket.processor_seconds()
    printed = run(
        [
            "wrk", "--threads", "1", "--connections", str(connections), "--duration", f"{seconds}s",
            "--timeout", "10s", "--latency", "--script", str(LUA / script),
            f"http://127.0.0.1:{basket.port}",
        ],
        env=environment,
    )
    told = json.loads(printed.splitlines()[-1])
    if told["refused"] or told["broken"] or not told["requests"]:
        raise RuntimeError(f"wrk: {told['refused']} answers were refusals, {told['broken']} were none")
    cost = (basket.processor_seconds() - used) / told["requests"] * 1e6
    return Load(told["requests"] / told["seconds"], told["p50"], told["p99"], cost)
