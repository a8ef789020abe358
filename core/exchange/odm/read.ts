import type {
  DefinedFolder,
  DefinedPage,
  DefinitionFacts,
  DefinitionResult,
  NotCarried,
} from '#core/exchange/definition.ts'
import type { XmlElement } from '#core/exchange/xml/element.ts'
import { attributeOf, childrenOf, deepText } from '#core/exchange/xml/element.ts'
import { isFieldCode } from '#core/form/definition/page.ts'

import { CodeLists } from './codeLists.ts'
import { formOidOf, formReferences, plannedEvents, readFolders } from './folders.ts'
import type { Reporter } from './folders.ts'
import { ItemCodes, freeCode } from './names.ts'
import { ownWordsOf } from './ownWords.ts'
import { MAX_NAME, PageReader, TooManyFields } from './pages.ts'
import { readRedcapPlan } from './redcap/redcapPlan.ts'
import { readRedcapForms } from './redcap/redcapRows.ts'
import { proveRules, translateRules } from './rules.ts'
import type { OdmSource } from './source.ts'
import { readSource } from './source.ts'
import type { SourcePage } from './sourcePage.ts'
import { optionOf } from './sourcePage.ts'
import { unreadParts } from './unread.ts'

/**
 * Reads CDISC ODM 1.2 to 1.3.2 and 2.0: events become visits, forms pages, groups sections or tables, items fields.
 * What has no place here, or not the same meaning, is in `notCarried` by line, reason and text. A file that defines no
 * form gives an error and nothing else.
 */

/** Most forms of a file: as many pages as a visit takes. */
const MAX_FORMS = 500
/** Most visits of a file, as the server takes them. */
const MAX_EVENTS = 500

/** Reads the text of an ODM file. */
export function readOdm(text: string): DefinitionResult {
  const result = readSource(text)
  if (!result.ok) return result
  const { source } = result
  const notCarried: NotCarried[] = []
  const reporter: Reporter =
    (definition, field = attributeOf(definition, 'OID')) =>
    (what, why, lost) =>
      notCarried.push({ row: definition.line, field, what, why, text: lost })
  if (source.events.size > MAX_EVENTS || formsOf(source).length > MAX_FORMS)
    return { ok: false, error: { kind: 'too-large' } }
  try {
    const read = source.counts.isRedcap
      ? readRedcap(source, reporter, notCarried)
      : readForms(source, reporter, notCarried)
    if (!read.ok) return read
    notCarried.push(...unreadParts(source.root), ...besides(source))
    for (const clause of childrenOf(source.metadata, 'WhereClauseDef')) reportClause(clause, reporter)
    const { pages, folders } = read
    const facts = factsOf(source)
    return {
      ok: true,
      definition: { pages, folders, facts, notCarried: namesGathered(notCarried).toSorted((a, b) => a.row - b.row) },
    }
  } catch (error) {
    if (error instanceof TooManyFields) return { ok: false, error: { kind: 'too-large' } }
    throw error
  }
}

type Read =
  | { readonly ok: true; readonly pages: readonly DefinedPage[]; readonly folders: readonly DefinedFolder[] }
  | Extract<DefinitionResult, { readonly ok: false }>

function readRedcap(source: OdmSource, reporter: Reporter, notCarried: NotCarried[]): Read {
  const read = readRedcapForms(source, reporter)
  if (!read.ok) return read
  notCarried.push(...read.notCarried)
  const plan = readRedcapPlan(source, reporter)
  const folders = readFolders(plannedEvents(source, reporter), read.codeOf, reporter, plan.scheduleOf)
  const pages = plan.withRepeats(read.pages, read.codeOf)
  return { ok: true, pages, folders: withUnplaced(pages, folders, notCarried) }
}

/**
 * The forms of a version as pages, each under its code here.
 *
 * @throws TooManyFields
 */
export function sourcePages(
  source: OdmSource,
  reporter: Reporter,
  notCarried: NotCarried[],
): { readonly pages: readonly SourcePage[]; readonly reader: PageReader } {
  const surroundings = {
    codeLists: new CodeLists(source.codeLists, (list) => reporter(list), source.multiLists),
    units: source.units,
  }
  const reader = new PageReader(source, new ItemCodes(source.items.values()), surroundings, notCarried)
  const taken = new Set<string>()
  const pages = formsOf(source).map((form): SourcePage => {
    const oid = attributeOf(form, 'OID')
    const own = ownWordsOf(form)['code']
    const isOwn = typeof own === 'string' && isFieldCode(own) && !taken.has(own.toLowerCase())
    const code = isOwn ? own : freeCode(oid, 'page', taken)
    taken.add(code.toLowerCase())
    if (!isOwn && code !== oid) reporter(form)('field-name', 'name-not-allowed', oid)
    return reader.page(form, code)
  })
  return { pages, reader }
}

function readForms(source: OdmSource, reporter: Reporter, notCarried: NotCarried[]): Read {
  const { pages, reader } = sourcePages(source, reporter, notCarried)
  const codes = new Map(pages.map(({ oid, code }) => [oid, code]))
  const folders = readFolders(plannedEvents(source, reporter), (oid) => codes.get(oid) ?? null, reporter)
  translateRules(pages)
  proveRules(pages, folders)
  const defined = pages.map((page): DefinedPage => ({
    pageCode: page.code,
    pageName: page.name.slice(0, MAX_NAME),
    ...(page.nameEn === null ? {} : { pageNameEn: page.nameEn.slice(0, MAX_NAME) }),
    option: optionOf(page),
    ...(page.repeatable ? { repeatable: true } : {}),
  }))
  reportUnused(source, reader, reporter)
  return { ok: true, pages: defined, folders: withUnplaced(defined, folders, notCarried) }
}

/** The forms of a file: of ODM 2.0 the groups that are forms by their type, or by standing directly in an event. */
function formsOf({ forms, groups, events }: OdmSource): readonly XmlElement[] {
  const named = new Set([...events.values()].flatMap(formReferences).map(formOidOf))
  const others = [...groups.values()].filter(
    (group) => attributeOf(group, 'Type') === 'Form' || named.has(attributeOf(group, 'OID')),
  )
  return [...forms.values(), ...others]
}

/** Groups and items that stand on no form. */
function reportUnused({ groups, items }: OdmSource, reader: PageReader, reporter: Reporter): void {
  for (const [oid, group] of groups)
    if (!reader.usedGroups.has(oid)) reporter(group)('section', 'not-referenced', attributeOf(group, 'Name'))
  for (const [oid, item] of items) {
    if (!reader.usedItems.has(oid) && ownWordsOf(item)['placeholder'] !== true)
      reporter(item)('field', 'not-referenced', attributeOf(item, 'Name'))
  }
}

/**
 * Where there are visits, a page in none of them is told of, and stands in one that is made when it is needed: nothing
 * asks for it.
 */
function withUnplaced(
  pages: readonly DefinedPage[],
  folders: readonly DefinedFolder[],
  notCarried: NotCarried[],
): readonly DefinedFolder[] {
  if (folders.length === 0) return folders
  const placed = new Set(folders.flatMap((folder) => folder.pages))
  const unplaced = pages.filter(({ pageCode }) => !placed.has(pageCode))
  if (unplaced.length === 0) return folders
  for (const { pageCode, pageName } of unplaced)
    notCarried.push({ row: 0, field: pageCode, what: 'page', why: 'not-referenced', text: pageName })
  const folderCode = freeCode('unplaced', 'visit', new Set(folders.map((folder) => folder.folderCode.toLowerCase())))
  return [
    ...folders,
    {
      folderCode,
      folderName: '未列入访视的表单',
      pages: unplaced.map(({ pageCode }) => pageCode),
      schedule: { kind: 'unscheduled' },
    },
  ]
}

/**
 * Choices that follow the answer to another question are lists of that question here, so the clauses that say so have
 * no place.
 */
function reportClause(clause: XmlElement, reporter: Reporter): void {
  for (const range of childrenOf(clause, 'RangeCheck')) {
    const values = childrenOf(range, 'CheckValue').map(deepText).join(', ')
    reporter(clause)(
      'choices',
      'no-place',
      `${attributeOf(range, 'ItemOID')} ${attributeOf(range, 'Comparator')} ${values}`.trim(),
    )
  }
}

/** Most names of those that cannot be codes that are written out. */
const MAX_NAMES = 10

/**
 * OIDs with points in them are no codes, all of a file or none: they are one line, which hides nothing else. Each stays
 * with its field.
 */
function namesGathered(notCarried: readonly NotCarried[]): readonly NotCarried[] {
  const isName = ({ what, why }: NotCarried) => what === 'field-name' && why === 'name-not-allowed'
  const names = notCarried.filter(isName)
  const [first, second] = names
  if (first === undefined || second === undefined) return notCarried
  const written = names.slice(0, MAX_NAMES).map(({ text }) => text)
  const text = `${written.join(', ')}${names.length > MAX_NAMES ? ', …' : ''} ×${names.length}`
  return [...notCarried.filter((one) => !isName(one)), { ...first, field: '', text }]
}

/** Parts of the file beside the definition that was read. */
function besides({ counts, root, study, otherVersions }: OdmSource): readonly NotCarried[] {
  const [subjects, values] = [counts.of('SubjectData'), counts.of('ItemData')]
  const data: readonly NotCarried[] =
    counts.of('ClinicalData') === 0
      ? []
      : [
          {
            row: 0,
            field: '',
            what: 'data',
            why: 'data-not-taken',
            text: `ClinicalData: SubjectData ${subjects}, ItemData ${values}`,
          },
        ]
  // Of another study its name, so that nobody takes a file for read as a whole.
  const studies = childrenOf(root, 'Study').filter((one) => one !== study)
  const studyOf = (version: XmlElement) =>
    studies.flatMap((one) => (one.children.includes(version) ? [studyName(one)] : [])).join('')
  const versions = otherVersions.map((version): NotCarried => ({
    row: version.line,
    field: attributeOf(version, 'OID'),
    what: 'element',
    why: 'other-version',
    text: [studyOf(version), attributeOf(version, 'Name')].filter((text) => text !== '').join(': '),
  }))
  return [...data, ...versions]
}

function studyName(study: XmlElement): string {
  const [name] = childrenOf(study, 'GlobalVariables')
    .flatMap((one) => childrenOf(one, 'StudyName'))
    .map((one) => deepText(one).trim())
  return name || attributeOf(study, 'StudyName') || attributeOf(study, 'OID')
}

function factsOf({ counts }: OdmSource): DefinitionFacts {
  return {
    forms: counts.of('FormDef') + counts.groupsOf('Form'),
    fields: counts.of('ItemDef'),
    field_types: counts.dataTypes,
    choices: counts.of('CodeListItem'),
    required: counts.mandatory,
    branching_rules: counts.conditional + counts.redcapBranching,
    calc_fields: counts.methods + counts.redcapCalculations,
    more: counts.all,
  }
}
