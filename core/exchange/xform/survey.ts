import type { NotCarriedPart, NotCarriedReason } from '#core/exchange/definition.ts'
import type { Header } from '#core/exchange/xlsform/headers.ts'
import type { FormRow } from '#core/exchange/xlsform/table.ts'
import { formCell } from '#core/exchange/xlsform/table.ts'

import { controlType } from './controls.ts'
import { Texts } from './texts.ts'
import type { XmlNode } from './tree.ts'
import { attribute, below, elementsOf, textIn } from './tree.ts'

/**
 * An XForm in the rows of an XLSForm: what its bindings, its controls and its instance say of one node stands in one
 * row.
 */

export interface Survey {
  readonly rows: readonly FormRow[]
  readonly choices: readonly FormRow[]
  /** One header for each language. */
  readonly labels: readonly Header[]
  /** The form's own language. */
  readonly language: string
  readonly id: string
  readonly lost: readonly Lost[]
}

interface Lost {
  readonly line: number
  readonly name: string
  readonly text: string
  readonly part: NotCarriedPart
  readonly why: NotCarriedReason
}

/** Elements of a body that ask something. */
export const CONTROLS: ReadonlySet<string> = new Set([
  'input',
  'select1',
  'select',
  'upload',
  'range',
  'rank',
  'trigger',
  'secret',
  'textarea',
])

interface Bound {
  readonly bind: XmlNode
  readonly path: readonly string[]
}

export function surveyOf(model: XmlNode, body: XmlNode): Survey {
  const survey = new SurveyWriter(model, body)
  return survey.written()
}

class SurveyWriter {
  readonly #model: XmlNode
  readonly #body: XmlNode
  readonly #root: XmlNode | undefined
  readonly #texts: Texts
  readonly #binds = new Map<string, Bound>()
  /** Nodes that somebody is asked for. */
  readonly #asked = new Set<string>()
  #unaskedIn: ReadonlyMap<string, readonly Bound[]> | null = null
  readonly #rows: FormRow[] = []
  readonly #choices: FormRow[] = []
  readonly #lost: Lost[] = []

  constructor(model: XmlNode, body: XmlNode) {
    this.#model = model
    this.#body = body
    this.#root = elementsOf(model, 'instance').flatMap((instance) => elementsOf(instance))[0]
    this.#texts = new Texts(model)
    for (const bind of elementsOf(model, 'bind')) {
      const path = pathOf(attribute(bind, 'nodeset'), [])
      this.#binds.set(path.join('/'), { bind, path })
    }
  }

  written(): Survey {
    this.#noteAsked(this.#body, [])
    this.#unasked('')
    for (const node of elementsOf(this.#body)) this.#element(node, [])
    for (const instance of elementsOf(this.#model, 'instance').slice(1)) this.#instance(instance)
    const labels = this.#texts.languages.map((language): Header => ({
      name: 'label',
      language,
      title: `label::${language}`,
    }))
    return {
      rows: this.#rows,
      choices: this.#choices,
      labels,
      language: this.#texts.own,
      id: this.#root === undefined ? '' : attribute(this.#root, 'id') || this.#root.name,
      lost: this.#lost,
    }
  }

  #noteAsked(node: XmlNode, around: readonly string[]): void {
    for (const child of elementsOf(node)) {
      const path = refOf(child, around)
      if (CONTROLS.has(child.name)) this.#asked.add(path.join('/'))
      else this.#noteAsked(child, path)
    }
  }

  #element(node: XmlNode, around: readonly string[]): void {
    if (CONTROLS.has(node.name)) return this.#control(node, around)
    if (node.name === 'group') return this.#group(node, around)
    if (node.name === 'repeat') return this.#repeat(node, around, undefined)
    if (!ASIDE.has(node.name))
      this.#lost.push({
        line: node.line,
        name: node.name,
        text: textIn(node) || node.name,
        part: 'field',
        why: 'unknown-type',
      })
  }

  #group(node: XmlNode, around: readonly string[]): void {
    const path = refOf(node, around)
    const repeats = elementsOf(node, 'repeat')
    const others = elementsOf(node).filter(({ name }) => !ASIDE.has(name))
    const [repeat] = repeats
    // A repeat stands alone in a group that has its title.
    if (repeat !== undefined && others.length === 1) return this.#repeat(repeat, path, node)
    const isOwn = path.length > around.length
    this.#row(node.line, path, [
      ...this.#spoken(node, 'label'),
      ...this.#shown(node),
      ...(isOwn ? this.#bound(path, ['relevant']) : []),
      formCell('type', 'begin_group'),
      formCell('name', isOwn ? (path.at(-1) ?? '') : ''),
    ])
    for (const child of others) this.#element(child, path)
    this.#row(node.line, path, [formCell('type', 'end_group')])
  }

  #repeat(node: XmlNode, around: readonly string[], titled: XmlNode | undefined): void {
    const path = pathOf(attribute(node, 'nodeset') || attribute(node, 'ref'), around)
    const count = attribute(node, 'count')
    this.#row(node.line, path, [
      formCell('type', 'begin_repeat'),
      formCell('name', path.at(-1) ?? ''),
      ...this.#spoken(titled ?? node, 'label'),
      ...this.#shown(node),
      ...this.#bound(path, ['relevant']),
      ...(count === '' ? [] : [formCell('repeat_count', count)]),
    ])
    for (const child of elementsOf(node)) this.#element(child, path)
    this.#unasked(path.join('/'))
    this.#row(node.line, path, [formCell('type', 'end_repeat')])
  }

  #control(node: XmlNode, around: readonly string[]): void {
    const path = refOf(node, around)
    const bound = this.#binds.get(path.join('/'))
    const type = controlType(node, bound?.bind)
    const list = ['select', 'select1', 'rank'].includes(node.name) ? this.#list(node, path) : null
    const media = attribute(node, 'mediatype')
    this.#row(node.line, path, [
      formCell('type', list === null ? type : `${type} ${list.name}`),
      formCell('name', path.at(-1) ?? ''),
      ...this.#spoken(node, 'label'),
      ...this.#spoken(node, 'hint'),
      ...this.#shown(node),
      ...(node.name === 'range'
        ? [formCell('parameters', ['start', 'end', 'step'].map((name) => `${name}=${attribute(node, name)}`).join(' '))]
        : []),
      ...(node.name === 'upload' && !/^(image|audio|video|\*|application)\//.test(media) && media !== ''
        ? [formCell('mediatype', media)]
        : []),
      ...(list?.filter === undefined ? [] : [formCell('choice_filter', list.filter)]),
      ...(type === 'note' ? this.#noteRules(path) : this.#rules(path)),
      ...this.#beginning(path),
    ])
  }

  /**
   * Nodes of bindings that nobody is asked for, in the rows of a repeat, or, at '', in none: they are calculated, or
   * hidden.
   */
  #unasked(repeat: string): void {
    this.#unaskedIn ??= this.#findUnasked()
    for (const { bind, path } of this.#unaskedIn.get(repeat) ?? []) {
      const isCalculated = attribute(bind, 'calculate') !== ''
      const preload = attribute(bind, 'preload')
      const name = path.at(-1) ?? ''
      if (preload !== '' || (!isCalculated && name === 'instanceID')) {
        this.#lost.push({
          line: bind.line,
          name,
          text: `${preload} ${attribute(bind, 'preloadParams')}`.trim() || name,
          part: 'field',
          why: 'device-metadata',
        })
      } else if (!this.#isGroup(path)) {
        this.#row(bind.line, path, [
          formCell('type', isCalculated ? 'calculate' : 'hidden'),
          formCell('name', name),
          ...this.#rules(path),
          ...this.#beginning(path),
        ])
      }
    }
  }

  /** By the innermost repeat around each. */
  #findUnasked(): ReadonlyMap<string, readonly Bound[]> {
    const repeats = new Set(
      Array.from(below(this.#body), (node) =>
        node.name === 'repeat' ? pathOf(attribute(node, 'nodeset'), []).join('/') : '',
      ),
    )
    const found = new Map<string, Bound[]>()
    for (const [key, bound] of this.#binds) {
      if (this.#asked.has(key) || repeats.has(key)) continue
      const around =
        bound.path
          .map((_, at) => bound.path.slice(0, at).join('/'))
          .findLast((one) => one !== '' && repeats.has(one)) ?? ''
      const same = found.get(around)
      if (same === undefined) found.set(around, [bound])
      else same.push(bound)
    }
    return found
  }

  #isGroup(path: readonly string[]): boolean {
    return elementsOf(this.#node(path) ?? this.#model).length > 0
  }

  #node(path: readonly string[]): XmlNode | undefined {
    return path.reduce<XmlNode | undefined>(
      (at, step) => (at === undefined ? undefined : elementsOf(at, step)[0]),
      this.#root,
    )
  }

  #beginning(path: readonly string[]): FormRow['cells'] {
    const node = this.#node(path)
    const text = node === undefined || elementsOf(node).length > 0 ? '' : textIn(node)
    return text === '' ? [] : [formCell('default', text)]
  }

  #rules(path: readonly string[]): FormRow['cells'] {
    const bind = this.#binds.get(path.join('/'))?.bind
    const messages =
      bind === undefined
        ? []
        : [
            ...this.#texts.cells('constraint_message', attribute(bind, 'constraintMsg')),
            ...this.#texts.cells('required_message', attribute(bind, 'requiredMsg')),
          ]
    return [...this.#bound(path, ['relevant', 'required', 'constraint', 'readonly', 'calculate']), ...messages]
  }

  /** Of a text that nobody can answer: when it is shown, and whether the form stops at it. */
  #noteRules(path: readonly string[]): FormRow['cells'] {
    const bind = this.#binds.get(path.join('/'))?.bind
    return [
      ...this.#bound(path, ['relevant', 'required']),
      ...(bind === undefined ? [] : this.#texts.cells('required_message', attribute(bind, 'requiredMsg'))),
    ]
  }

  #bound(path: readonly string[], names: readonly string[]): FormRow['cells'] {
    const bind = this.#binds.get(path.join('/'))?.bind
    return names.flatMap((name) => {
      const text = bind === undefined ? '' : attribute(bind, name)
      return text === '' ? [] : [formCell(name === 'calculate' ? 'calculation' : name, text)]
    })
  }

  #spoken(node: XmlNode, name: 'label' | 'hint'): FormRow['cells'] {
    return elementsOf(node, name).flatMap((element) => this.#texts.ofElement(name, element))
  }

  #shown(node: XmlNode): FormRow['cells'] {
    const appearance = attribute(node, 'appearance')
    return appearance === '' ? [] : [formCell('appearance', appearance)]
  }

  /** The list that a control offers, made of its items, or of a part of the model. */
  #list(node: XmlNode, path: readonly string[]): { readonly name: string; readonly filter?: string } {
    const [itemset] = elementsOf(node, 'itemset')
    const match = /^instance\(\s*['"]([^'"]+)['"]\s*\)\/root\/item\s*(?:\[(.*)\])?$/s.exec(
      itemset === undefined ? '' : attribute(itemset, 'nodeset').trim(),
    )
    if (match !== null) {
      const [, name = '', condition] = match
      return condition === undefined ? { name } : { name, filter: filterOf(condition.trim(), path) }
    }
    if (itemset !== undefined) return { name: attribute(itemset, 'nodeset').replaceAll(/\s+/g, '') }
    const name = path.join('/')
    for (const item of elementsOf(node, 'item')) {
      const value = elementsOf(item, 'value').map((element) => textIn(element))[0] ?? ''
      this.#choice(item.line, [
        formCell('list_name', name),
        formCell('name', value),
        ...elementsOf(item, 'label').flatMap((element) => this.#texts.ofElement('label', element)),
      ])
    }
    return { name }
  }

  /** A list that the model holds beside the data: each of its items with all it says, since a filter may ask for it. */
  #instance(instance: XmlNode): void {
    const id = attribute(instance, 'id')
    const [root] = elementsOf(instance)
    for (const item of root === undefined ? [] : elementsOf(root, 'item')) {
      const parts = elementsOf(item)
      const own = (name: string) => parts.filter((part) => part.name === name).map((part) => textIn(part))[0] ?? ''
      const said =
        own('itextId') === ''
          ? [formCell('label', own('label'))]
          : this.#texts.cells('label', `jr:itext('${own('itextId')}')`)
      const others = parts.flatMap((part) =>
        ['name', 'value', 'label', 'itextId'].includes(part.name)
          ? []
          : [formCell(part.name.toLowerCase(), textIn(part))],
      )
      this.#choice(item.line, [
        formCell('list_name', id),
        formCell('name', own('name') || own('value')),
        ...said,
        ...others,
      ])
    }
  }

  #choice(line: number, cells: FormRow['cells']): void {
    this.#choices.push({ row: line, cells: cells.filter(({ text }) => text !== '') })
  }

  #row(line: number, path: readonly string[], cells: FormRow['cells']): void {
    this.#rows.push({ row: line, path, cells: cells.filter(({ text }) => text !== '') })
  }
}

/** Elements that say something of the one that they stand in. */
const ASIDE: ReadonlySet<string> = new Set(['label', 'hint', 'help', 'alert', 'setvalue', 'extra'])

/** `region = /data/region` in the words of an XLSForm, which names fields. */
function filterOf(condition: string, path: readonly string[]): string {
  const match = /^([\w.-]+)\s*=\s*((?:current\(\)\/)?[\w./-]+)$/.exec(condition)
  const from = match?.[2]?.replace(/^current\(\)\//, '')
  const name = from === undefined ? undefined : pathOf(from, path).at(-1)
  return match === null || name === undefined ? condition : `${match[1]}=\${${name}}`
}

function refOf(node: XmlNode, around: readonly string[]): readonly string[] {
  const ref = attribute(node, 'ref') || (node.name === 'repeat' ? attribute(node, 'nodeset') : '')
  // A node may name its binding instead of its place.
  return ref === '' || ref.startsWith('jr:') ? around : pathOf(ref, around)
}

/** Names from the root of the instance down, the root left out. */
function pathOf(ref: string, around: readonly string[]): readonly string[] {
  const steps = ref
    .trim()
    .split('/')
    .map((step) => step.trim().slice(step.trim().indexOf(':') + 1))
  const path = ref.trim().startsWith('/') ? [] : [...around]
  for (const step of ref.trim().startsWith('/') ? steps.slice(2) : steps) {
    if (step === '..') path.pop()
    else if (step !== '.' && step !== '') path.push(step)
  }
  return path
}
