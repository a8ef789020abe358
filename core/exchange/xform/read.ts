import type { DefinitionFacts, DefinitionResult, NotCarried } from '#core/exchange/definition.ts'
import { XmlFailure } from '#core/exchange/sheet/xmlEvents.ts'
import { SurveyBuilder } from '#core/exchange/xlsform/builder.ts'
import { readLists } from '#core/exchange/xlsform/choices.ts'
import { languagesOf } from '#core/exchange/xlsform/languages.ts'
import { hasTooManyRepeats } from '#core/exchange/xlsform/table.ts'
import { reporter } from '#core/exchange/xpath/form.ts'
import { completeDefinition } from '#core/exchange/xpath/formDefinition.ts'

import { CONTROLS, surveyOf } from './survey.ts'
import type { XmlNode } from './tree.ts'
import { attribute, below, elementsOf, textIn, xmlTree } from './tree.ts'

/**
 * Reads an ODK XForm (XML). It says what an XLSForm says, as a model with bindings and a body with controls, and
 * becomes the same: one page, its groups sections, its repeats tables.
 */

const MAX_QUESTIONS = 20_000

/** Whether a text may be an XForm, by its beginning. */
export function isXForm(text: string): boolean {
  return /^\uFEFF?\s*</.test(text) && text.slice(0, 5_000).includes('http://www.w3.org/2002/xforms')
}

/** @param title of the form where the file has none of its own */
export function readXForm(text: string, title: string): DefinitionResult {
  try {
    return definitionOf(xmlTree(text), title)
  } catch (error) {
    if (error instanceof XmlFailure) return { ok: false, error: error.reason }
    throw error
  }
}

function definitionOf(root: XmlNode, fallback: string): DefinitionResult {
  const all = [...below(root)]
  const [model, body] = [all.find(({ name }) => name === 'model'), all.find(({ name }) => name === 'body')]
  if (model === undefined || body === undefined) return { ok: false, error: { kind: 'unknown-format' } }
  const survey = surveyOf(model, body)
  if (survey.rows.length === 0) return { ok: false, error: { kind: 'empty' } }
  if (survey.rows.length > MAX_QUESTIONS || hasTooManyRepeats(survey.rows))
    return { ok: false, error: { kind: 'too-large' } }
  const notCarried: NotCarried[] = []
  for (const node of all)
    if (node.name === 'setvalue')
      reporter(notCarried, node.line, attribute(node, 'ref'))(
        'default',
        'not-a-constant',
        `${attribute(node, 'event')}: ${attribute(node, 'value') || textIn(node)}`,
      )
  for (const { line, name, text, part, why } of survey.lost) reporter(notCarried, line, name)(part, why, text)
  const languages = languagesOf(survey.labels, survey.language)
  const lists = readLists({ headers: [], rows: survey.choices }, languages, (row, list) =>
    reporter(notCarried, row, list),
  )
  const title = all.find(({ name }) => name === 'title')
  const builder = new SurveyBuilder({
    notCarried,
    languages,
    lists,
    code: survey.id,
    title: (title === undefined ? '' : textIn(title)) || fallback,
  })
  for (const row of survey.rows) builder.add(row)
  const pages = builder.end(body.line)
  return { ok: true, definition: completeDefinition(pages, notCarried, factsOf(all, model)) }
}

function factsOf(all: readonly XmlNode[], model: XmlNode): DefinitionFacts {
  const countNames = (names: readonly string[]) => {
    const counts: Record<string, number> = {}
    for (const name of names) counts[name] = (counts[name] ?? 0) + 1
    return counts
  }
  const number = (name: string) => all.filter((node) => node.name === name).length
  const binds = all.filter(({ name }) => name === 'bind')
  const saying = (name: string) => binds.filter((bind) => attribute(bind, name) !== '').length
  const controls = countNames(all.flatMap(({ name }) => (CONTROLS.has(name) ? [name] : [])))
  const asked = Object.values(controls).reduce((sum, count) => sum + count, 0)
  const instances = elementsOf(model, 'instance')
  const items = all.filter(({ name, children }) => name === 'item' && children.length > 0).length
  const required = binds.filter((bind) => !['', 'false()'].includes(attribute(bind, 'required'))).length
  return {
    forms: 1,
    fields: asked,
    field_types: controls,
    choices: items,
    required,
    branching_rules: saying('relevant'),
    calc_fields: saying('calculate'),
    more: {
      format: 'XForm',
      binds: binds.length,
      groups: number('group'),
      repeats: number('repeat'),
      controls,
      items,
      itemsets: number('itemset'),
      translations: number('translation'),
      setvalue: number('setvalue'),
      secondary_instances: Math.max(0, instances.length - 1),
      relevant: saying('relevant'),
      constraint: saying('constraint'),
      calculate: saying('calculate'),
      bind_types: countNames(binds.map((bind) => attribute(bind, 'type') || 'None')),
    },
  }
}
