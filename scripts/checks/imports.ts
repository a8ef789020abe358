import { posix } from 'node:path'
import { parseSync, Visitor } from 'vite'
import { LAYERS, UI_NEVER } from '#scripts/checks/layers.ts'
import { checkRoomOrder } from '#scripts/checks/rooms.ts'
import { FOLDERS, lineAt } from '#scripts/checks/sources.ts'
import type { Finding, SourceFile } from '#scripts/checks/sources.ts'

/** One import, export-from, `import()` or type import. `target` is the path in the project, undefined for a package. */
type Edge = Readonly<{ from: string; specifier: string; target: string | undefined; line: number; typeOnly: boolean }>

/**
 * Checks every import of the project against the layers and their rooms, and that there are no cycles and no barrel
 * files.
 */
export function checkImports(files: readonly SourceFile[]): Finding[] {
  const findings: Finding[] = []
  const edges = new Map<string, Edge[]>()
  for (const file of files) {
    const { found, barrel, problem } = readImports(file)
    if (problem !== undefined) findings.push({ path: file.path, line: 1, message: `cannot be parsed: ${problem}` })
    if (barrel)
      findings.push({ path: file.path, line: 1, message: 'is a barrel file: import from where a thing is made' })
    edges.set(file.path, found)
  }
  for (const edge of [...edges.values()].flat()) {
    const message = objection(edge, edges)
    if (message !== undefined) findings.push({ path: edge.from, line: edge.line, message })
  }
  const within = [...edges.values()]
    .flat()
    .flatMap(({ from, target, line }) => (target === undefined ? [] : [{ from, target, line }]))
  return [...findings, ...checkRoomOrder(within), ...cycles(edges)]
}

function readImports(file: SourceFile): { found: Edge[]; barrel: boolean; problem?: string } {
  const { module, program, errors } = parseSync(file.path, file.text)
  const found: Edge[] = []
  const add = (specifier: string, offset: number, typeOnly: boolean) =>
    found.push({
      from: file.path,
      specifier,
      target: resolve(file.path, specifier),
      line: lineAt(file.text, offset),
      typeOnly,
    })

  for (const { moduleRequest, entries, start } of module.staticImports) {
    add(moduleRequest.value, start, entries.length > 0 && entries.every((entry) => entry.isType))
  }
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, isType, start } of entries) {
      if (moduleRequest !== null) add(moduleRequest.value, start, isType)
    }
  }
  new Visitor({
    ImportExpression({ source, start }) {
      if (source.type === 'Literal' && typeof source.value === 'string') add(source.value, start, false)
    },
    TSImportType({ source, start }) {
      add(source.value, start, true)
    },
  }).visit(program)

  const statements = program.body.filter((node) => node.type !== 'ImportDeclaration')
  const barrel =
    statements.length > 0 &&
    statements.every(
      (node) =>
        node.type === 'ExportAllDeclaration' || (node.type === 'ExportNamedDeclaration' && node.declaration === null),
    )
  const [error] = errors
  return error === undefined ? { found, barrel } : { found, barrel, problem: error.message }
}

/** The project path that a specifier means, undefined for a package. A suffix such as Vite's `?worker` is cut off. */
function resolve(from: string, specifier: string): string | undefined {
  const bare = specifier.replace(/\?.*$/, '')
  if (bare.startsWith('#')) return bare.slice(1)
  if (bare.startsWith('.')) return posix.normalize(posix.join(posix.dirname(from), bare))
  return undefined
}

/** Why an import is not allowed, or undefined. */
function objection(edge: Edge, edges: ReadonlyMap<string, readonly Edge[]>): string | undefined {
  const from = topFolder(edge.from)
  if (edge.target === undefined) return packageObjection(from, edge.specifier)
  const to = topFolder(edge.target)
  const layer = LAYERS[from]
  if (from !== to && edge.specifier.startsWith('.') && (FOLDERS as readonly string[]).includes(to)) {
    return `imports ${edge.target} by a relative path: across folders write #${edge.target}`
  }
  if (layer === undefined) return undefined
  if (from !== to && !layer.may.includes(to) && !startsWorker(edge, from, to)) {
    return `${from} must not import ${to || 'the project root'} (${edge.specifier})`
  }
  if (from === 'sw' && to === 'core' && (edges.get(edge.target) ?? []).some((next) => !next.typeOnly)) {
    return `sw may import only constants from core, and ${edge.target} imports other modules`
  }
  return srcObjection(edge.from, edge.target)
}

/**
 * A page starts a worker by `?worker`, and imports its type for comlink. Neither puts the worker's code into the page.
 */
function startsWorker(edge: Edge, from: string, to: string): boolean {
  return from === 'src' && to === 'workers' && (edge.typeOnly || /\?(worker|url)/.test(edge.specifier))
}

function srcObjection(from: string, target: string): string | undefined {
  const mine = screenOf(from)
  const theirs = screenOf(target)
  if (mine !== undefined && theirs !== undefined && mine !== theirs) {
    return `screen ${mine} must not import screen ${theirs}: what two screens share belongs in src/ui, src/data or src/form`
  }
  if (from.startsWith('src/ui/') && UI_NEVER.some((folder) => target.startsWith(folder))) {
    return `src/ui knows no data: it must not import ${target}`
  }
  return undefined
}

function packageObjection(from: string, specifier: string): string | undefined {
  const layer = LAYERS[from]
  if (layer === undefined) return undefined
  const isNamed = (name: string) =>
    name === 'node:' ? specifier.startsWith('node:') : specifier === name || specifier.startsWith(`${name}/`)
  const allowed = 'only' in layer.packages ? layer.packages.only.some(isNamed) : !layer.packages.never.some(isNamed)
  return allowed ? undefined : `${from} must not import ${specifier} (rules: scripts/checks/layers.ts)`
}

function topFolder(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : ''
}

function screenOf(path: string): string | undefined {
  return /^src\/screens\/([^/]+)\//.exec(path)?.[1]
}

/** One finding per group of files that import each other in a circle (Tarjan's strongly connected components). */
function cycles(edges: ReadonlyMap<string, readonly Edge[]>): Finding[] {
  const findings: Finding[] = []
  const order = new Map<string, number>()
  const stack: string[] = []
  const visit = (path: string): number => {
    const mine = order.size
    let lowest = mine
    order.set(path, mine)
    stack.push(path)
    for (const { target } of edges.get(path) ?? []) {
      if (target === undefined || !edges.has(target)) continue
      if (!order.has(target)) lowest = Math.min(lowest, visit(target))
      else if (stack.includes(target)) lowest = Math.min(lowest, order.get(target) ?? mine)
    }
    if (lowest === mine) {
      const group = stack.splice(stack.indexOf(path)).toSorted()
      const first = edges.get(path)?.find((edge) => edge.target !== undefined && group.includes(edge.target))
      if (first !== undefined) {
        findings.push({ path, line: first.line, message: `is part of an import cycle: ${group.join(', ')}` })
      }
    }
    return lowest
  }
  for (const path of edges.keys()) if (!order.has(path)) visit(path)
  return findings
}
