#!/usr/bin/env bash
# The command line of the MCP Inspector (it needs Node 22.19 or later): lists the tools and calls two of them.
set -euo pipefail
url=${SWITCHYARD_URL:-http://127.0.0.1:3000}
inspector=${INSPECTOR:-npx -y @modelcontextprotocol/inspector@2.12.0}

inspect() { $inspector --cli "$url/mcp" --transport http --header "Authorization: Bearer $SWITCHYARD_KEY" "$@"; }

pick() { node -pe "JSON.parse(fs.readFileSync(0)).$1"; }

inspect --method tools/list | pick 'tools.map((tool) => tool.name).join(" ")'
inspect --method tools/call --tool-name whoami | pick structuredContent.role
inspect --method tools/call --tool-name list_agents --tool-arg limit=1 | pick structuredContent.items.length
