import type { DefinedFolder, NotCarriedPart, NotCarriedReason } from '#core/exchange/definition.ts'
import type { XmlElement } from '#core/exchange/xml/element.ts'
import { attributeOf } from '#core/exchange/xml/element.ts'
import type { CheckRule, Column, FieldExtension } from '#core/form/definition/column.ts'
import type { CompileError } from '#core/form/compiled/compile.ts'
import { CompiledVersion } from '#core/form/compiled/compiledVersion.ts'

import type { FormalExpression } from './formulas/expressionElement.ts'
import type { FindField, FoundField, TranslatedExpression } from './formulas/expressions.ts'
import { calculationOf, showOf, wrongOf } from './formulas/expressions.ts'
import type { FieldName } from './formulas/formula.ts'
import { rememberText } from './formulas/rememberedExpression.ts'
import { TooManyFields } from './pages.ts'
import { isPending } from './ranges.ts'
import type { SourceField, SourcePage } from './sourcePage.ts'
import { columnOf, fieldsOf, optionOf } from './sourcePage.ts'

/**
 * The rules of the fields, and a proof that the pages compile with them: a rule that does not is taken out and
 * reported.
 */

/** Translates what the fields' conditions, methods and checks say. */
export function translateRules(pages: readonly SourcePage[]): void {
  const homes = new Map<string, SourceField[]>()
  for (const field of pages.flatMap(fieldsOf)) homes.set(field.oid, [...(homes.get(field.oid) ?? []), field])
  for (const field of pages.flatMap(fieldsOf)) {
    const find: FindField = (name) => findField(name, field, homes)
    const shows = field.conditions.flatMap((condition) =>
      keepRule(field, showOf(condition, find), 'branching', condition),
    )
    const [show, ...others] = shows
    if (show !== undefined)
      setRule(field, { show: others.length === 0 ? show : shows.map((one) => `(${one})`).join(' && ') })
    if (field.method !== null) {
      const [calculate] = keepRule(field, calculationOf(field.method, find), 'calculation', field.method)
      if (calculate !== undefined) setRule(field, { calculate })
    }
    const checks = field.checks.flatMap((check): readonly CheckRule[] => {
      if (!isPending(check)) return [check]
      const { expressions, ...words } = check
      return keepRule(field, wrongOf(expressions, find), 'range', expressions).map((when) => ({ ...words, when }))
    })
    if (checks.length > 0) setRule(field, { checks })
  }
}

/** The rule, or nothing once it is reported and kept with its field. */
function keepRule(
  field: SourceField,
  result: TranslatedExpression,
  what: NotCarriedPart,
  definition: XmlElement,
): readonly string[] {
  if (result.ok) return [result.cel]
  field.report(what, result.why, result.source.text === '' ? attributeOf(definition, 'OID') : result.source.text)
  keep(field, what, result.source, definition)
  return []
}

/** Word for word, to be written again: the expression with its language, and the name that it has. */
function keep(
  field: SourceField,
  what: NotCarriedPart,
  { context, text }: FormalExpression,
  definition: XmlElement,
): void {
  // A check has no name by which it could be known again; it is in the report.
  if (what === 'range') return
  const key = what === 'branching' ? 'odm.Condition' : 'odm.Method'
  const { zl = {} } = field.column
  const words = rememberText({ name: attributeOf(definition, 'Name'), context, text })
  field.column = { ...field.column, zl: { ...zl, kept: { ...zl.kept, [key]: words } } }
}

function setRule(field: SourceField, rule: Pick<FieldExtension, 'show' | 'calculate' | 'checks'>): void {
  field.column = { ...field.column, zl: { ...field.column.zl, ...rule } }
}

/** Of several fields of a name the nearest is meant: in the same row, on the same page, then on any other. */
function findField(
  { item, within }: FieldName,
  from: SourceField,
  homes: ReadonlyMap<string, readonly SourceField[]>,
): FoundField {
  const whole = [...within.toReversed(), item].join('-')
  const all =
    homes.get(whole) ?? (homes.get(item) ?? []).filter(({ above }) => within.every((oid) => above.includes(oid)))
  if (all.length === 0)
    return { where: 'nowhere', why: homes.has(item) && within.length > 0 ? 'field-of-other-event' : 'unknown-field' }
  const here = all.filter(({ place }) => place.page === from.place.page)
  const inRow = here.find(({ place }) => place.table !== null && place.table === from.place.table)
  if (inRow !== undefined) return { where: 'row', prop: inRow.place.prop }
  const onPage = here.find(({ place }) => place.table === null)
  if (onPage !== undefined) return { where: 'page', prop: onPage.place.prop }
  const elsewhere = all.find(({ place }) => place.table === null)
  if (here.length > 0 || elsewhere === undefined) return { where: 'nowhere', why: 'field-of-table' }
  return { where: 'elsewhere', page: elsewhere.place.page, prop: elsewhere.place.prop }
}

/** Rounds of taking out rules after which all rules of a page that still does not compile go. */
const MAX_ROUNDS = 30

/** Takes out the rules that keep the pages from being used together. */
export function proveRules(pages: readonly SourcePage[], folders: readonly DefinedFolder[]): void {
  for (let round = 0; ; round += 1) {
    const broken = brokenRules(pages, folders)
    if (broken.length === 0) return
    // A circle that nothing here takes out would go on for ever.
    if (round > 2 * MAX_ROUNDS) for (const field of pages.flatMap(fieldsOf)) dropAll(field, 'circular')
    for (const { page, error } of broken) {
      const dropped = round < MAX_ROUNDS && dropRule(pages, page, error)
      if (!dropped) for (const field of fieldsOf(page)) dropAll(field, reasonOf(error))
    }
  }
}

/** What is in every page that has rules across pages. */
const CROSSING = /\b(?:visit|rcVisit|form|visits)\s*\./
/** Most places of pages that are proved: each in its first visit, and those that read others in all. */
const MAX_PLACES = 3_000

interface BrokenRule {
  readonly page: SourcePage
  readonly error: CompileError
}

function brokenRules(pages: readonly SourcePage[], folders: readonly DefinedFolder[]): readonly BrokenRule[] {
  const byCode = new Map(pages.map((page) => [page.code, page]))
  const options = new Map(pages.map((page) => [page.code, JSON.stringify(optionOf(page))]))
  const placed = new Set(folders.flatMap((folder) => folder.pages))
  // Pages of no visit are proved as well, in one of their own.
  const rest = pages.flatMap(({ code }) => (placed.has(code) ? [] : [code]))
  const all = [
    ...folders.map(({ folderCode, pages: codes }) => ({ folderCode, codes })),
    ...(rest.length === 0 ? [] : [{ folderCode: 'crf', codes: rest }]),
  ]
  const version = new CompiledVersion(
    all.map(({ folderCode, codes }) => ({
      folderCode,
      pages: codes.map((pageCode) => ({ pageCode, option: options.get(pageCode) ?? '{}' })),
    })),
  )
  const broken: BrokenRule[] = []
  const seen = new Set<string>()
  const proven = new Set<string>()
  let places = 0
  for (const { folderCode, codes } of all) {
    for (const code of codes) {
      const page = byCode.get(code)
      // A page that reads no other is the same in every visit.
      const isSettled = proven.has(code) && !CROSSING.test(options.get(code) ?? '')
      if (page === undefined || isSettled) continue
      proven.add(code)
      if (++places > MAX_PLACES) throw new TooManyFields()
      const result = version.page({ folder: folderCode, page: code })
      if (result.ok) continue
      // Every column was read by itself, so that only their number can be too much for a page.
      if (!('errors' in result)) throw new TooManyFields()
      for (const error of result.errors) {
        const key = `${code} ${error.kind === 'rule' ? `${error.code} ${error.role} ${error.source}` : error.kind === 'cycle' ? error.path.join() : ''}`
        if (!seen.has(key)) broken.push({ page, error })
        seen.add(key)
      }
    }
  }
  const [first] = pages
  if (broken.length > 0 || first === undefined) return broken
  return version.circles().map((path) => ({ page: first, error: { kind: 'cycle', path } }))
}

/** Whether the rule that the error is about was there, and is not any more. */
function dropRule(pages: readonly SourcePage[], page: SourcePage, error: CompileError): boolean {
  switch (error.kind) {
    case 'too-far':
      return fieldsOf(page).filter((field) => readsOthers(field) && dropAll(field, 'expression-too-complex')).length > 0
    case 'cycle': {
      // In a circle it is the last of those that read each other, on whichever page it stands.
      const [prop = '', code = page.code] = (error.path.at(-2) ?? '').split('/').toReversed()
      const field = fieldNamed(
        pages.find((one) => one.code === code),
        prop,
      )
      return field !== undefined && dropSome(field, 'circular', ({ role }) => role !== 'check')
    }
    case 'rule': {
      const field = fieldNamed(page, error.code)
      return (
        field !== undefined &&
        dropSome(field, reasonOf(error), ({ role, source }) => role === error.role && source === error.source)
      )
    }
    default:
      return false
  }
}

function fieldNamed(page: SourcePage | undefined, name: string): SourceField | undefined {
  const [prop, table = null] = name.split('.').toReversed()
  return page === undefined
    ? undefined
    : fieldsOf(page).find(({ place }) => place.prop === prop && place.table === table)
}

interface NamedRule {
  readonly role: 'show' | 'calculate' | 'require' | 'readOnlyWhen' | 'check'
  readonly source: string
}

const ROLES = ['show', 'calculate', 'require', 'readOnlyWhen'] as const
const PART_OF: Readonly<Record<NamedRule['role'], NotCarriedPart>> = {
  show: 'branching',
  calculate: 'calculation',
  require: 'flag',
  readOnlyWhen: 'flag',
  check: 'range',
}

function rulesOf({ zl = {} }: Column): readonly NamedRule[] {
  const own = ROLES.flatMap((role): readonly NamedRule[] =>
    zl[role] === undefined ? [] : [{ role, source: zl[role] }],
  )
  return [...own, ...(zl.checks ?? []).map(({ when }): NamedRule => ({ role: 'check', source: when }))]
}

function readsOthers(field: SourceField): boolean {
  return rulesOf(columnOf(field)).some(({ source }) => CROSSING.test(source))
}

function dropAll(field: SourceField, why: NotCarriedReason): boolean {
  return dropSome(field, why, () => true)
}

/** What stands in the words of our own goes with them: the column as it is now is all that is left. */
function dropSome(field: SourceField, why: NotCarriedReason, isMeant: (rule: NamedRule) => boolean): boolean {
  const { children: _rows, ...column } = columnOf(field)
  const meant = rulesOf(column).filter(isMeant)
  if (meant.length === 0) return false
  for (const { role, source } of meant) field.report(PART_OF[role], why, source)
  const { zl = {} } = column
  const isGone = (role: NamedRule['role'], source: string) =>
    meant.some((one) => one.role === role && one.source === source)
  const kept = Object.fromEntries(
    Object.entries(zl).filter(([key, value]) => !ROLES.some((role) => role === key && isGone(role, String(value)))),
  )
  const checks = zl.checks?.filter(({ when }) => !isGone('check', when))
  field.column = { ...column, zl: { ...kept, ...(checks === undefined ? {} : { checks }) } }
  field.words = {}
  return true
}

function reasonOf(error: CompileError): NotCarriedReason {
  if (error.kind === 'cycle') return 'circular'
  if (error.kind === 'rule' && error.problem.kind === 'unknown-field') return 'unknown-field'
  if (error.kind === 'rule' && error.problem.kind === 'syntax') return 'expression-syntax'
  const isTooLarge = error.kind === 'too-far' || (error.kind === 'rule' && error.problem.kind === 'too-long')
  return isTooLarge ? 'expression-too-complex' : 'type-mismatch'
}
