#!/usr/bin/env bash
# A dataset from the command line: create, fill, query, search.
set -euo pipefail
url=${SWITCHYARD_URL:-http://127.0.0.1:3000}

api() { curl -fsS "$url/api$1" -H "Authorization: Bearer $SWITCHYARD_KEY" -H 'Content-Type: application/json' "${@:2}"; }
pick() { node -pe "JSON.parse(fs.readFileSync(0)).$1"; }

dataset=$(api /datasets -d '{"name": "Stations", "schema": {"fields": [
  {"name": "name",  "type": "string",  "required": true},
  {"name": "about", "type": "text",    "fullText": true, "vector": true},
  {"name": "built", "type": "integer", "indexed": true}]}}' | pick data.id)

api "/datasets/$dataset/data/insert" -d '{"records": [
  {"name": "St Pancras",    "about": "A gothic hotel above the trains to Paris.", "built": 1868},
  {"name": "Grand Central", "about": "Stars on the ceiling and a clock to meet under.", "built": 1913}]}' | pick data.inserted

echo "Built after 1900:"
api "/datasets/$dataset/data/query" -d '{"filter": {"built": {"gt": 1900}}}' | pick data[0].name
echo "With a clock:"
api "/datasets/$dataset/data/full-text-search" -d '{"query": "clock"}' | pick data[0].record.name
echo "Something like a hotel over the trains:"
api "/datasets/$dataset/data/search" -d '{"query": "a hotel above the trains", "topK": 1}' | pick data[0].record.name
