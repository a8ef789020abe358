import { calls } from '#core/api/table.ts'

/** `npm run contract`: the calls of the contract that the server does not serve yet, by area, with counts. */
const areas = new Map<string, { all: number; missing: string[] }>()
for (const { area, method, path, servedBy } of calls) {
  const entry = areas.get(area) ?? { all: 0, missing: [] }
  areas.set(area, entry)
  entry.all += 1
  if (servedBy === null) entry.missing.push(`  ${method.padEnd(6)} ${path}`)
}

for (const [area, { all, missing }] of areas) {
  console.log(`${area}: ${all - missing.length} of ${all} served`)
  for (const line of missing.toSorted()) console.log(line)
}
const missing = [...areas.values()].reduce((sum, area) => sum + area.missing.length, 0)
console.log(`${calls.length} calls, ${calls.length - missing} served, ${missing} not available yet`)
