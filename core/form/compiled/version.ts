import { parsePage } from '#core/form/definition/page.ts'
import type { Field, PageModel } from '#core/form/definition/page.ts'
import { valueKind } from '#core/form/definition/value.ts'
import type { CelType } from '#core/rules/problem.ts'
import { ALL_VISITS } from '#core/rules/reads.ts'
import type { OtherPages, RepeatPick } from '#core/rules/reads.ts'
import type { Rule, RuleCompiler } from '#core/rules/rule.ts'
import { ruleCompiler } from '#core/rules/rule.ts'

/** The pages of a version, as rules of other pages find them: by the codes of visits and pages. */

/** The visits of a version, and the pages in each, with their options as they are stored. */
export interface VersionFolder {
  readonly folderCode: string
  readonly pages: readonly { readonly pageCode: string; readonly option: string; readonly id?: string }[]
}

/** A page in a visit, by codes. */
export interface PagePlace {
  readonly folder: string
  readonly page: string
}

/**
 * An entry of another page, as rules reach it. Without `pick` it is the first entry of its page: in the same visit as
 * the entry that names it, where that is the visit; else in the first repeat of the visit.
 */
export interface ReadPlace extends PagePlace {
  /** `ALL_VISITS` where the entry is picked among all visits, or where it belongs to one that was. */
  readonly folder: string
  /**
   * Which of the entries is meant: among all repeats of the visit and the page, or only among those of this one visit.
   */
  readonly pick?: { readonly which: RepeatPick; readonly sameVisit: boolean }
  /** The entry whose rule names this one; absent where the rule is of the page that is compiled. */
  readonly from?: ReadPlace
}

/** One name for a place. Codes contain no slash and none of the other separators used here. */
export function placeKey({ folder, page, pick, from }: ReadPlace): string {
  const picked = pick === undefined ? '' : `#${pick.sameVisit ? 'visit.' : ''}${pick.which}`
  return `${folder}/${page}${picked}${from === undefined ? '' : ` of ${placeKey(from)}`}`
}

/** A version's pages, each read when it is first asked for: a page whose rules read no other page costs nothing. */
export class VersionPages implements OtherPages {
  readonly #options = new Map<string, string>()
  readonly #places = new Set<string>()
  readonly #models = new Map<string, PageModel | null>()
  readonly #types = new Map<string, ReadonlyMap<string, CelType> | null>()
  readonly #compilers = new Map<string, RuleCompiler>()
  readonly #shows = new Map<Field, Rule | null>()

  constructor(folders: readonly VersionFolder[]) {
    for (const { folderCode, pages } of folders) {
      for (const { pageCode, option } of pages) {
        this.#options.set(pageCode, option)
        this.#places.add(placeKey({ folder: folderCode, page: pageCode }))
      }
    }
  }

  /** The page with that code, in whichever visits it stands; null where there is no such page, or it cannot be read. */
  model(page: string): PageModel | null {
    const known = this.#models.get(page)
    if (known !== undefined) return known
    const option = this.#options.get(page)
    const parsed = option === undefined ? null : parsePage(option)
    const model = parsed?.ok === true ? parsed.page : null
    this.#models.set(page, model)
    return model
  }

  standsIn(folder: string, page: string): boolean {
    return folder === ALL_VISITS ? this.#options.has(page) : this.#places.has(placeKey({ folder, page }))
  }

  fieldsOf(page: string): ReadonlyMap<string, CelType> | null {
    const known = this.#types.get(page)
    if (known !== undefined) return known
    const model = this.model(page)
    const types = model === null ? null : fieldTypes(model.fields)
    this.#types.set(page, types)
    return types
  }

  /**
   * The rule that shows a field on its page. Null where there is none, or it is wrong, which is an error of that page.
   */
  showOf(page: string, field: Field): Rule | null {
    const known = this.#shows.get(field)
    if (known !== undefined) return known
    const result = field.show === null ? null : this.#compilerOf(page)?.compile(field.show, 'bool')
    const rule = result?.ok === true ? result.rule : null
    this.#shows.set(field, rule)
    return rule
  }

  #compilerOf(page: string): RuleCompiler | null {
    const known = this.#compilers.get(page)
    if (known !== undefined) return known
    const model = this.model(page)
    if (model === null) return null
    const compiler = ruleCompiler(fieldTypes(model.fields), this, sourcesOf(model.fields))
    this.#compilers.set(page, compiler)
    return compiler
  }
}

/** The texts of all rules of some fields. */
export function* sourcesOf(fields: readonly Field[]): Iterable<string> {
  for (const { show, calculate, require, readOnlyWhen, checks, references } of fields) {
    for (const source of [show, calculate, require, readOnlyWhen]) if (source !== null) yield source
    for (const { when } of checks) yield when
    for (const { when } of references) if (when !== null) yield when
  }
}

/** The types of fields as rules see them, for the fields of a page or of a row. */
export function fieldTypes(fields: readonly Field[]): ReadonlyMap<string, CelType> {
  return new Map(fields.map((field) => [field.code, celType(field)]))
}

function celType(field: Field): CelType {
  switch (valueKind(field)) {
    case 'number':
      return 'double'
    case 'text':
      return 'string'
    case 'texts':
      return 'list<string>'
    case 'numbers':
      return 'list<double>'
    case 'paths':
    case 'files':
    case 'rows':
      return 'list<dyn>'
  }
}
