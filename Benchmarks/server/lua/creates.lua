-- Makes a new file with each request: 4 KiB that no other file holds, at a path of its own.
dofile(os.getenv("BENCH_LUA") .. "/report.lua")

local path = "/v1/domains/Work/files/" .. os.getenv("BENCH_PREFIX")
local headers = { ["Authorization"] = "Bearer " .. os.getenv("BENCH_TOKEN") }
local filling = string.rep("x", 4096 - 16 - #os.getenv("BENCH_PREFIX")) .. os.getenv("BENCH_PREFIX")
local count = 0

function request()
  count = count + 1
  return wrk.format("PUT", path .. count, headers, filling .. string.format("%016d", count))
end
