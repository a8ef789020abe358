import type { Design } from './design.ts'
import type { DesignEdit } from './designEdit.ts'
import { applyEdit } from './edit.ts'

/** The edits of a definition, to be undone and redone. */

export interface History {
  readonly past: readonly Design[]
  readonly present: Design
  readonly future: readonly Design[]
  /** The last edit, while a similar edit at the same place still joins it: typing a word is one step. */
  readonly going: { readonly what: string; readonly at: number } | null
}

/** How many steps can be undone. */
const MOST_STEPS = 200
/** A longer pause in typing begins a new step, in ms. */
const PAUSE_MS = 1500

export function historyOf(present: Design): History {
  return { past: [], present, future: [], going: null }
}

/** @param at the time, in ms of any clock that never goes back */
export function editHistory(history: History, edit: DesignEdit, at: number): History {
  const present = applyEdit(history.present, edit)
  if (present === history.present) return history
  const what = typedAt(edit)
  const goesOn = what !== null && history.going?.what === what && at - history.going.at < PAUSE_MS
  const past = goesOn ? history.past : [...history.past, history.present].slice(-MOST_STEPS)
  return { past, present, future: [], going: what === null ? null : { what, at } }
}

/** Several edits as one step: one action of a person. */
export function editedTogether(history: History, edits: readonly DesignEdit[]): History {
  const present = edits.reduce(applyEdit, history.present)
  if (present === history.present) return history
  return { past: [...history.past, history.present].slice(-MOST_STEPS), present, future: [], going: null }
}

export function undoEdit(history: History): History {
  const before = history.past.at(-1)
  if (before === undefined) return history
  return { past: history.past.slice(0, -1), present: before, future: [history.present, ...history.future], going: null }
}

export function redoEdit(history: History): History {
  const [next, ...future] = history.future
  if (next === undefined) return history
  return { past: [...history.past, history.present], present: next, future, going: null }
}

/** Adds others' changes to every step, so that undo takes back only what this person did. */
export function rebaseHistory(history: History, bring: (design: Design) => Design): History {
  return {
    past: history.past.map(bring),
    present: bring(history.present),
    future: history.future.map(bring),
    going: history.going,
  }
}

/** The place where a person types: edits of the same place join. Null for an edit that is a step of its own. */
function typedAt(edit: DesignEdit): string | null {
  if (!('patch' in edit)) return null
  const { patch, ...place } = edit
  return JSON.stringify([place, Object.keys(patch)])
}
