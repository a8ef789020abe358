import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseSync, Visitor } from 'vite'
import { lineAt } from '#scripts/checks/sources.ts'
import type { Finding, SourceFile } from '#scripts/checks/sources.ts'

/** The resources of one language: file name → what the module exports. */
export type Resources = Readonly<Record<string, unknown>>

const LANGUAGES = ['zh', 'en'] as const
const FOLDER = 'src/i18n'

/** Attributes whose text a person reads or hears. */
const READ_ATTRIBUTES = new Set([
  'aria-label',
  'aria-description',
  'alt',
  'title',
  'placeholder',
  'label',
  'description',
])

/** i18next's plural forms: each language has those that it needs. */
const PLURAL = /_(zero|one|two|few|many|other)$/

/** Loads the resources of both languages. Both are empty where there are none yet. */
export async function readResources(root: string): Promise<Record<(typeof LANGUAGES)[number], Resources>> {
  const [zh, en] = await Promise.all(LANGUAGES.map((language) => load(path.join(root, FOLDER, language))))
  return { zh: zh ?? {}, en: en ?? {} }
}

async function load(folder: string): Promise<Resources> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const modules = names
    .filter((name) => name.endsWith('.ts'))
    .map(async (name) => [name, await import(pathToFileURL(path.join(folder, name)).href)] as const)
  return Object.fromEntries(await Promise.all(modules))
}

/** Every key must be there in both languages, with the same placeholders. */
export function compareResources(zh: Resources, en: Resources): Finding[] {
  const chinese = texts(zh)
  const english = texts(en)
  const makeFinding = (language: string, key: string, message: string): Finding => ({
    path: `${FOLDER}/${language}/${key.slice(0, key.indexOf(':'))}`,
    line: 1,
    message: `${key.slice(key.indexOf(':') + 1)} ${message}`,
  })
  return [
    ...[...chinese.keys()]
      .filter((key) => !english.has(key))
      .map((key) => makeFinding('en', key, 'is missing in English')),
    ...[...english.keys()]
      .filter((key) => !chinese.has(key))
      .map((key) => makeFinding('zh', key, 'is missing in Chinese')),
    ...[...chinese].flatMap(([key, used]) => {
      const other = english.get(key)
      if (other === undefined || other === used) return []
      return [
        makeFinding('en', key, `has other placeholders (${other || 'none'}) than the Chinese text (${used || 'none'})`),
      ]
    }),
  ]
}

/**
 * `file:path.of.key` → the placeholders of its text, sorted and joined. The name of the export does not count: it is
 * not a key.
 */
function texts(resources: Resources): Map<string, string> {
  const all = new Map<string, string>()
  const walk = (value: unknown, file: string, trail: readonly string[]) => {
    if (typeof value === 'string') {
      const key = `${file}:${trail.join('.').replace(PLURAL, '')}`
      const used = [...value.matchAll(/\{\{\s*([\w.]+)/g)].map(([, name]) => name ?? '')
      const known = all.get(key)
      // A plural form may leave the number out ("one page"): a placeholder counts if any of the forms uses it.
      all.set(
        key,
        [...new Set([...used, ...(known === undefined || known === '' ? [] : known.split(', '))])]
          .toSorted()
          .join(', '),
      )
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) walk(inner, file, [...trail, name])
    }
  }
  for (const [file, exports] of Object.entries(resources)) {
    if (typeof exports !== 'object' || exports === null) continue
    for (const inner of Object.values(exports)) walk(inner, file, [])
  }
  return all
}

/** Text for people belongs in the resources: Chinese literals, text between tags, and the texts of labels and hints. */
export function checkLiterals(files: readonly SourceFile[]): Finding[] {
  return files
    .filter((file) => /^(src|offline|workers|sw)\//.test(file.path) && !file.path.startsWith(`${FOLDER}/`))
    .flatMap(literalsOf)
}

function literalsOf(file: SourceFile): Finding[] {
  const findings: Finding[] = []
  const add = (offset: number, text: string) =>
    findings.push({
      path: file.path,
      line: lineAt(file.text, offset),
      message: `"${text.trim().slice(0, 40)}" is text for people: it belongs in ${FOLDER}`,
    })
  new Visitor({
    Literal({ value, start }) {
      if (typeof value === 'string' && /\p{Script=Han}/u.test(value)) add(start, value)
    },
    TemplateElement({ value, start }) {
      if (/\p{Script=Han}/u.test(value.raw)) add(start, value.raw)
    },
    JSXText({ value, start }) {
      if (/\p{L}/u.test(value)) add(start + value.length - value.trimStart().length, value)
    },
    JSXAttribute({ name, value, start }) {
      const read = name.type === 'JSXIdentifier' && READ_ATTRIBUTES.has(name.name)
      if (read && value?.type === 'Literal' && typeof value.value === 'string' && /[a-z]/i.test(value.value))
        add(start, value.value)
    },
  }).visit(parseSync(file.path, file.text).program)
  return findings
}
