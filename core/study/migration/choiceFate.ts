import type { Choice } from '#core/form/definition/choiceLists.ts'
import { allPaths } from '#core/form/definition/choices.ts'
import type { Field } from '#core/form/definition/page.ts'
import { isChoice, isPick, isTree } from '#core/form/definition/page.ts'

/** What becomes of the choices of a list when the list changes. */

/**
 * What a stored choice becomes. `by` tells what decided: `value`, the value is still there and means the same; `label`,
 * another choice has its label; `person`, a person decided; `none`, no choice takes its place, and the value stays as
 * it is.
 */
export interface ChoiceFate {
  readonly value: string
  readonly label: string
  readonly to: string | null
  readonly toLabel: string | null
  readonly by: 'value' | 'label' | 'person' | 'none'
}

/** The separator between the steps of a path to an option: no option has it in its value. */
export const STEP = ' › '

/** Whether the field is answered from a list of choices, flat or as a tree. */
export function isAnsweredByChoice(field: Pick<Field, 'type'>): boolean {
  return isChoice(field) || isTree(field) || isPick(field)
}

/** Whether an answer holds the whole path to a choice. */
export function holdsWays({ type, lastStep }: Pick<Field, 'type' | 'lastStep'>): boolean {
  return type === 'cascader' && !lastStep
}

/**
 * What becomes of each choice of a field. A value that is still there means the same, unless its label now belongs to
 * another value: then the label decides. A value that is gone becomes the one choice with its label, if there is
 * exactly one.
 *
 * @param person what a person decided, from the old value to the new one
 */
export function choiceFates(from: Field, to: Field, person: ReadonlyMap<string, string>): readonly ChoiceFate[] {
  const before = keyChoices(from)
  const after = keyChoices(to)
  const byLabel = Map.groupBy(after, ([, label]) => label)
  return [...before].map(([value, label]): ChoiceFate => {
    const said = person.get(value)
    const saidLabel = said === undefined ? undefined : after.get(said)
    if (said !== undefined && saidLabel !== undefined)
      return { value, label, to: said, toLabel: saidLabel, by: 'person' }
    const same = after.get(value)
    if (same === label) return { value, label, to: value, toLabel: same, by: 'value' }
    const [called, ...others] = byLabel.get(label) ?? []
    if (called !== undefined && others.length === 0) return { value, label, to: called[0], toLabel: label, by: 'label' }
    if (same !== undefined) return { value, label, to: value, toLabel: same, by: 'value' }
    return { value, label, to: null, toLabel: null, by: 'none' }
  })
}

/** Choices by the key that an answer holds, each with its label. */
function keyChoices(field: Field): ReadonlyMap<string, string> {
  const whole = holdsWays(field)
  const labels = new Map<string, string>()
  for (const path of allPaths(field.choices)) {
    const last = path.at(-1)
    if (last === undefined) continue
    const key = whole ? path.map(({ value }) => value).join(STEP) : last.value
    if (!labels.has(key)) labels.set(key, last.label)
  }
  return labels
}

/** The choice for a text: the one with this value, else the only one with this label; null where there is none. */
export function choiceOfText(choices: readonly Choice[], text: string): string | null {
  const flat = Array.from(allPaths(choices)).flatMap((path) => path.at(-1) ?? [])
  if (flat.some(({ value }) => value === text)) return text
  const called = new Set(flat.flatMap(({ label, value }) => (label === text ? [value] : [])))
  const [only] = called
  return only !== undefined && called.size === 1 ? only : null
}
