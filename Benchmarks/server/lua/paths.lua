-- Asks for the paths of a file, a line each, one after another and over again.
dofile(os.getenv("BENCH_LUA") .. "/report.lua")

local headers = { ["Authorization"] = "Bearer " .. os.getenv("BENCH_TOKEN") }
local requests = {}
local count = 0

function init()
  for path in io.lines(os.getenv("BENCH_PATHS")) do
    requests[#requests + 1] = wrk.format("GET", path, headers)
  end
end

function request()
  count = count % #requests + 1
  return requests[count]
end
