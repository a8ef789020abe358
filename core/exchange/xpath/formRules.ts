import type { NotCarriedPart, NotCarriedReason } from '#core/exchange/definition.ts'
import { openCircle } from '#core/exchange/openCircle.ts'
import type { CheckRule } from '#core/form/definition/column.ts'
import type { CompileError } from '#core/form/compiled/compile.ts'
import { CompiledVersion } from '#core/form/compiled/compiledVersion.ts'

import type { FormField, FormPage, SourceRule } from './form.ts'
import type { Translation } from '#core/exchange/translation.ts'
import { allFields, fieldsOf, keep, optionOf, withExtension } from './form.ts'
import { FormNames } from './names.ts'
import type { XPathTarget } from './translate.ts'
import { translateConditions, translateTest, translateValue } from './translate.ts'

/**
 * Translates the rules of a form, then proves that its pages compile with them. A rule that does not is taken out and
 * reported.
 */
export function settleRules(pages: readonly FormPage[]): void {
  const names = new FormNames(pages)
  for (const page of pages) {
    for (const field of fieldsOf(page)) {
      settleField(field, page, null, names)
      for (const row of field.rows ?? []) settleField(row, page, field, names)
    }
  }
  const stored = new Map<FormField, Set<string>>()
  const storedOf = (field: FormField) => {
    const known = stored.get(field) ?? new Set()
    stored.set(field, known)
    return known
  }
  const again = (page: FormPage, reader: FormField) => {
    reader.column = withExtension(reader.column, {
      show: shownBy(reader, page, null, names, storedOf(reader)) ?? undefined,
    })
  }
  for (let broken = brokenRules(pages); broken.length > 0; broken = brokenRules(pages)) {
    const opening = { fieldsOf, mayRead: isInItsGroup, storedOf, again, round: new Set<FormField>() }
    for (const { page, error } of broken)
      if (error.kind !== 'cycle' || !openCircle(pages, page, error.path, opening)) dropBroken(pages, page, error)
  }
}

/**
 * A group may ask for the answer of a field within it, which it shows or hides with itself: that is asked of what the
 * field holds.
 */
function isInItsGroup(reader: FormField, read: FormField): boolean {
  if (read.rows !== null || read.column.zl?.calculate !== undefined) return false
  return reader.rules.show.some(
    (rule) =>
      rule.path.length < Math.min(reader.path.length, read.path.length) &&
      rule.path.every((step, depth) => step === read.path[depth]),
  )
}

/** When a field is shown: by the conditions of the groups around it and by its own. */
function shownBy(
  field: FormField,
  page: FormPage,
  table: FormField | null,
  names: FormNames,
  stored?: ReadonlySet<string>,
): string | null {
  const shown = field.rules.show.flatMap((rule) => {
    const result = translateConditions(rule.text, names.scope(page, table, rule.path, stored))
    if (!result.ok) lose(field, 'show', rule, result.why)
    return result.ok ? result.all : []
  })
  return shown.length <= 1 ? (shown[0] ?? null) : `(${shown.join(' && ')})`
}

type Role = 'show' | 'require' | 'readOnlyWhen' | 'calculate' | 'check'

/** How a part of the source is called in a report, and under which name its text is kept. */
const PARTS: Readonly<Record<Role, readonly [NotCarriedPart, string]>> = {
  show: ['branching', 'relevant'],
  require: ['required', 'required'],
  readOnlyWhen: ['readonly', 'readonly'],
  calculate: ['calculation', 'calculation'],
  check: ['constraint', 'constraint'],
}

/** Id of the check that a constraint becomes. */
export const CONSTRAINT = 'constraint'

/** Id of the check that a required note becomes. */
export const STOP = 'required'

function settleField(field: FormField, page: FormPage, table: FormField | null, names: FormNames): void {
  const { require, readOnly, constraint, message, calculate, stop } = field.rules
  const scopeOf = (rule: SourceRule) => names.scope(page, table, rule.path)
  const take = (role: Role, rule: SourceRule | null, translated: (rule: SourceRule) => Translation): string | null => {
    if (rule === null) return null
    const result = translated(rule)
    if (result.ok) return result.cel
    lose(field, role, rule, result.why)
    return null
  }
  const test = (rule: SourceRule) => translateTest(rule.text, scopeOf(rule))
  settlePipes(field, page, table, names)
  // What is calculated as itself stays as it is.
  const isItself = calculate?.text.trim() === '.'
  if (isItself) keep(field, PARTS.calculate[1], calculate.text)
  const when = take('check', constraint, test)
  const check: CheckRule[] =
    when === null
      ? []
      : [
          {
            id: CONSTRAINT,
            when: `xpNe(${names.own(field, table)}, "") && !(${when})`,
            severity: 'error',
            message: message ?? DEFAULT_MESSAGE,
          },
        ]
  const stopped = stop === null ? null : stop.when === null ? 'true' : take('require', stop.when, test)
  const stops: CheckRule[] =
    stop === null || stopped === null ? [] : [{ id: STOP, when: stopped, severity: 'error', message: stop.message }]
  const checks = [...(field.column.zl?.checks ?? []), ...check, ...stops]
  // What is lost on the way is kept with the column, so the rules come before it.
  const rules = {
    ...makeRule('show', shownBy(field, page, table, names)),
    ...makeRule('require', take('require', require, test)),
    ...makeRule('readOnlyWhen', take('readOnlyWhen', readOnly, test)),
    ...makeRule(
      'calculate',
      take('calculate', isItself ? null : calculate, (rule) => translateValue(rule.text, scopeOf(rule))),
    ),
  }
  field.column = withExtension(field.column, { ...rules, ...(checks.length === 0 ? {} : { checks }) })
}

/**
 * `${name}` in the texts of a field shows the value of a field of the same page or row; what it cannot show is
 * reported.
 */
function settlePipes(field: FormField, page: FormPage, table: FormField | null, names: FormNames): void {
  const { label, zl = {} } = field.column
  const texts = [label, zl.labels?.en ?? '', zl.note ?? '', zl.noteEn ?? '']
  const pipes: Record<string, string> = {}
  for (const text of texts) {
    for (const [token, name = ''] of text.matchAll(/\$\{\s*([^{}\s]{1,200})\s*\}/g)) {
      const prop = propOf(names.scope(page, table, field.path).named(name))
      if (prop === null) field.report('label', 'piped-value', text)
      else pipes[token] = prop
    }
  }
  if (Object.keys(pipes).length > 0) field.column = withExtension(field.column, { pipes })
}

/** The field of the page, or of the row, that a name leads to; null for any other. */
function propOf(target: XPathTarget | null): string | null {
  if (target?.kind !== 'field') return null
  return /^rc\.(\w+)$/.exec(target.cel)?.[1] ?? /^\(has\(row\.(\w+)\)/.exec(target.cel)?.[1] ?? null
}

export const DEFAULT_MESSAGE = { zh: '不符合限定条件', en: 'Outside of what is allowed' }

function makeRule(role: Role, cel: string | null): Partial<Record<Role, string>> {
  return cel === null ? {} : { [role]: cel }
}

/** Reports a rule, once for a group that many fields stand in, and keeps the text of the field's own. */
function lose(field: FormField, role: Role, rule: SourceRule, why: NotCarriedReason): void {
  const [part, name] = PARTS[role]
  if (rule.path.length === field.path.length) keep(field, name, rule.text)
  if (!reported.has(rule)) rule.report(part, why, rule.text)
  if (role === 'check') loseMessage(field, why)
  reported.add(rule)
}

/** The words of a constraint that is lost go with it: they are kept and told of, too. */
function loseMessage(field: FormField, why: NotCarriedReason): void {
  const { message } = field.rules
  if (message === null || field.column.zl?.kept?.['constraint_message'] !== undefined) return
  field.report('constraint', why, [message.zh, message.en].filter((text) => text !== undefined).join(' / '))
  keep(field, 'constraint_message', message.zh)
  if (message.en !== undefined) keep(field, 'constraint_message::English (en)', message.en)
}

/** Rules that are reported already. */
const reported = new WeakSet<SourceRule>()

/** The visit that all pages stand in while they are read: these formats know of none. */
const FOLDER = 'crf'

interface Broken {
  readonly page: FormPage
  readonly error: CompileError
}

function brokenRules(pages: readonly FormPage[]): readonly Broken[] {
  const stored = pages.map((page) => ({ page, pageCode: page.code, option: JSON.stringify(optionOf(page)) }))
  const version = new CompiledVersion([{ folderCode: FOLDER, pages: stored }])
  const broken: Broken[] = []
  const circling = new Set<string>()
  for (const { page, pageCode } of stored) {
    const result = version.page({ folder: FOLDER, page: pageCode })
    if (result.ok) continue
    if (!('errors' in result)) throw new Error(`a column of ${pageCode}, made from a form, is none`)
    const named = result.errors.map((error) => ({ error, fields: fieldsAcross(error, pageCode) }))
    for (const { error, fields } of named)
      if (!fields.some((field) => circling.has(field))) broken.push({ page, error })
    for (const { fields } of named) for (const field of fields) circling.add(field)
  }
  const [first] = pages
  if (broken.length > 0 || first === undefined) return broken
  return version.circles().map((path) => ({ page: first, error: { kind: 'cycle', path } }))
}

/** The fields of a circle through several pages, by page and name; none of any other error. */
function fieldsAcross(error: CompileError, pageCode: string): readonly string[] {
  if (error.kind !== 'cycle' || !error.path.some((key) => key.includes('/'))) return []
  return error.path.map((key) => (key.includes('/') ? key : `${FOLDER}/${pageCode}/${key}`))
}

/**
 * Takes out the rules that an error is about. In a circle it is the last of those that read each other, on whichever
 * page it stands.
 */
function dropBroken(pages: readonly FormPage[], page: FormPage, error: CompileError): void {
  if (error.kind === 'too-far') {
    for (const field of allFields(page))
      if (JSON.stringify(field.column.zl ?? {}).includes('rcVisit.'))
        dropRules(field, 'expression-too-complex', ['show', 'calculate', 'require', 'readOnlyWhen', 'check'])
    return
  }
  const [place = '', code = page.code] = (error.kind === 'cycle' ? (error.path.at(-2) ?? '') : error.code)
    .split('/')
    .toReversed()
  const [prop = '', child] = place.split('.')
  const home = pages
    .filter((one) => one.code === code)
    .flatMap(fieldsOf)
    .find((field) => field.prop === prop)
  const field = child === undefined ? home : home?.rows?.find((row) => row.prop === child)
  if (field === undefined) throw new Error(`an error names the field ${place}, which there is not`)
  if (error.kind === 'rule') {
    const isTooLarge = error.problem.kind === 'too-long' || error.problem.kind === 'syntax'
    // No such form has ranges of reference.
    if (error.role === 'reference') return
    return dropRules(field, isTooLarge ? 'expression-too-complex' : 'type-mismatch', [error.role])
  }
  // A table is in a circle by the rules of its rows, too.
  const fed: readonly Role[] = ['show', 'calculate']
  const isOwn = fed.some((role) => role !== 'check' && field.column.zl?.[role] !== undefined)
  for (const one of isOwn ? [field] : (field.rows ?? [])) dropRules(one, 'circular', fed)
}

function dropRules(field: FormField, why: NotCarriedReason, roles: readonly Role[]): void {
  const { show, require, readOnly, constraint, calculate, stop } = field.rules
  const sources: Readonly<Record<Role, readonly (SourceRule | null)[]>> = {
    show,
    require: [require],
    readOnlyWhen: [readOnly],
    calculate: [calculate],
    check: [constraint, stop?.when ?? null],
  }
  for (const role of roles) {
    const checks = field.column.zl?.checks?.filter(({ id }) => id !== CONSTRAINT && id !== STOP) ?? []
    if (role === 'check')
      field.column = withExtension(field.column, { checks: checks.length === 0 ? undefined : checks })
    else if (field.column.zl?.[role] === undefined) continue
    else field.column = withExtension(field.column, { [role]: undefined })
    for (const rule of sources[role]) if (rule !== null) lose(field, role, rule, why)
  }
}
