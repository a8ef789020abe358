import { posix } from 'node:path'
import { FOLDERS_OF_TEXTS, LAYERS, MOST_FILES_IN_A_ROOM, ROOMS, UPWARD } from '#scripts/checks/layers.ts'
import type { Finding, SourceFile } from '#scripts/checks/sources.ts'

/** An import from one of our files to another: both by their paths in the project. */
export type RoomEdge = Readonly<{ from: string; target: string; line: number }>

/**
 * Imports from a lower room to a higher one, rooms without a place in the order, and exceptions that are no longer
 * needed.
 */
export function checkRoomOrder(edges: readonly RoomEdge[]): Finding[] {
  const needed = new Set<string>()
  const findings = edges.flatMap(({ from, target, line }): Finding[] => {
    const part = partOf(from)
    if (part === undefined || part !== partOf(target)) return []
    const [mine, theirs] = [roomOf(part, from), roomOf(part, target)]
    const [low, high] = [placeOf(part, mine), placeOf(part, theirs)]
    if (mine === theirs) return []
    const missing = low === -1 ? mine : high === -1 ? theirs : null
    if (missing !== null)
      return [
        { path: from, line, message: `${part}/${missing} has no place among the rooms of scripts/checks/layers.ts` },
      ]
    if (high < low) return []
    const named = `${from} > ${target}`
    needed.add(named)
    return named in UPWARD
      ? []
      : [{ path: from, line, message: `${part}/${mine} lies below ${part}/${theirs} and must not import ${target}` }]
  })
  const known = new Set(edges.map(({ from }) => from))
  const idle = Object.keys(UPWARD).filter((named) => !needed.has(named) && known.has(named.split(' > ')[0] ?? ''))
  return [
    ...findings,
    ...idle.map((named) => ({
      path: 'scripts/checks/layers.ts',
      line: 1,
      message: `nobody needs the exception “${named}” any more`,
    })),
  ]
}

/** Folders of the product with more code files than can be read at a glance. */
export function checkRoomSizes(files: readonly SourceFile[]): Finding[] {
  const counts = new Map<string, number>()
  for (const { path } of files) {
    const folder = posix.dirname(path)
    if (LAYERS[path.split('/')[0] ?? ''] === undefined || FOLDERS_OF_TEXTS.includes(folder)) continue
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts].flatMap(([path, count]) =>
    count > MOST_FILES_IN_A_ROOM
      ? [
          {
            path,
            line: 1,
            message: `holds ${count} files of code: ${MOST_FILES_IN_A_ROOM} is the limit, make rooms of it`,
          },
        ]
      : [],
  )
}

function partOf(path: string): string | undefined {
  return Object.keys(ROOMS).find((part) => path.startsWith(`${part}/`))
}

function roomOf(part: string, path: string): string {
  const within = path.slice(part.length + 1)
  return within.includes('/') ? within.slice(0, within.indexOf('/')) : '.'
}

function placeOf(part: string, room: string): number {
  return ROOMS[part]?.indexOf(room) ?? -1
}
