import type { JsonValue } from '#core/json.ts'

import type { Choice, ChoiceChain } from './choiceLists.ts'
import type { Field } from './page.ts'

/** Choices that have other choices below them. */

/** The choice at the end of a path of values; null where there is no such path. */
export function choiceAlong(choices: readonly Choice[], steps: readonly JsonValue[]): Choice | null {
  const [step, ...further] = steps
  const choice = choices.find(({ value }) => value === step)
  if (choice === undefined) return null
  return further.length === 0 ? choice : choiceAlong(choice.children, further)
}

/** The first choice with a value, on whatever level; null where there is none. */
export function choiceBelow(choices: readonly Choice[], value: JsonValue): Choice | null {
  const path = pathTo(choices, value)
  return path?.at(-1) ?? null
}

/** The path to the first choice with a value, that choice included; null where there is none. */
export function pathTo(choices: readonly Choice[], value: JsonValue): readonly Choice[] | null {
  for (const choice of choices) {
    if (choice.value === value) return [choice]
    const below = pathTo(choice.children, value)
    if (below !== null) return [choice, ...below]
  }
  return null
}

/** Every choice with the path to it, in reading order. */
export function* allPaths(choices: readonly Choice[], above: readonly Choice[] = []): Iterable<readonly Choice[]> {
  for (const choice of choices) {
    const path = [...above, choice]
    yield path
    yield* allPaths(choice.children, path)
  }
}

/** Whether a choice may be the answer of a field, and does not only lead to other choices. */
export function canAnswer({ anyLevel }: Pick<Field, 'anyLevel'>, { children, disabled }: Choice): boolean {
  return !disabled && (anyLevel || children.length === 0)
}

/** What a field stores for the choice at the end of a path. */
export function answerOf({ type, lastStep }: Pick<Field, 'type' | 'lastStep'>, path: readonly Choice[]): JsonValue {
  const values = path.map(({ value }) => value)
  return type === 'cascader' && !lastStep ? values : (values.at(-1) ?? null)
}

/**
 * What may be chosen for this answer of the followed field; nothing while that field has no answer. The same array for
 * the same answer.
 *
 * @param answer of the field that the chain follows, as rules see it; several answers offer the choices of each of them
 */
export function offeredChoices({ by }: ChoiceChain, answer: unknown): readonly Choice[] {
  if (!Array.isArray(answer)) return by.get(answerText(answer)) ?? NONE
  const offered = answer.flatMap((one: unknown) => by.get(answerText(one)) ?? NONE)
  return [...new Map(offered.map((choice) => [choice.value, choice])).values()]
}

function answerText(answer: unknown): string {
  return typeof answer === 'string' || typeof answer === 'number' ? String(answer) : ''
}

const NONE: readonly Choice[] = []
