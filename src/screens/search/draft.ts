import { MOST_CONDITIONS } from '#core/dataset/conditions.ts'
import type { AnswerAt, AnswerField, Condition } from '#core/dataset/conditions.ts'
import { newId } from '#core/ids.ts'
import { draftOf, testOf } from '#src/form/conditions/testDraft.ts'
import type { TestDraft, Tested } from '#src/form/conditions/testDraft.ts'

/** A condition while somebody builds it: parts may still be missing, and each has an id of its own to be found by. */

export type GroupMode = 'all' | 'any' | 'not'

export interface FieldDraft {
  readonly id: string
  readonly kind: 'field'
  readonly pageId: string | null
  readonly table: string | null
  /** Null while no field is chosen; what its answers are is known once it is. */
  readonly field: (AnswerField & Pick<Tested, 'kind'>) | null
  readonly which: AnswerAt['which']
  readonly folderId: string | null
  readonly baseline: string | null
  readonly test: TestDraft | null
}

export type Draft =
  | { readonly id: string; readonly kind: 'group'; readonly mode: GroupMode; readonly of: readonly Draft[] }
  | FieldDraft
  | { readonly id: string; readonly kind: 'center'; readonly centers: readonly string[] }
  | { readonly id: string; readonly kind: 'sex'; readonly sex: 'F' | 'M' | null }
  | { readonly id: string; readonly kind: 'enrolled'; readonly from: string | null; readonly to: string | null }
export type GroupDraft = Extract<Draft, { readonly kind: 'group' }>

export function newGroup(of: readonly Draft[] = []): GroupDraft {
  return { id: newId(), kind: 'group', mode: 'all', of }
}

export function newDraft(kind: Draft['kind']): Draft {
  const id = newId()
  switch (kind) {
    case 'group':
      return newGroup()
    case 'field':
      return {
        id,
        kind,
        pageId: null,
        table: null,
        field: null,
        which: 'any',
        folderId: null,
        baseline: null,
        test: null,
      }
    case 'center':
      return { id, kind, centers: [] }
    case 'sex':
      return { id, kind, sex: null }
    case 'enrolled':
      return { id, kind, from: null, to: null }
  }
}

/** The tree with one of its parts changed, or taken out by null. */
export function withDraft(of: GroupDraft, id: string, change: (draft: Draft) => Draft | null): GroupDraft {
  return {
    ...of,
    of: of.of.flatMap((one) => {
      const next = one.id === id ? change(one) : one.kind === 'group' ? withDraft(one, id, change) : one
      return next === null ? [] : [next]
    }),
  }
}

/** How many conditions there are, finished or not. */
export function countOf(of: Draft): number {
  return of.kind === 'group' ? of.of.reduce((sum, one) => sum + countOf(one), 0) : 1
}

export function isFull(of: GroupDraft): boolean {
  return countOf(of) >= MOST_CONDITIONS
}

/** The condition that a draft stands for; null where it is not finished. */
export function conditionOf(draft: Draft): Condition | null {
  switch (draft.kind) {
    case 'group': {
      const parts = draft.of.map(conditionOf).filter((one) => one !== null)
      if (parts.length === 0) return null
      return draft.mode === 'not' ? { kind: 'not', of: { kind: 'any', of: parts } } : { kind: draft.mode, of: parts }
    }
    case 'center':
      return draft.centers.length === 0 ? null : { kind: 'center', centers: [...draft.centers] }
    case 'sex':
      return draft.sex === null ? null : { kind: 'sex', sex: draft.sex }
    case 'enrolled':
      return draft.from === null && draft.to === null ? null : { kind: 'enrolled', from: draft.from, to: draft.to }
    case 'field': {
      const { field, test: written } = draft
      const at = atOf(draft)
      if (field === null || written === null || at === null) return null
      const { kind, ...named } = field
      const test = testOf(written, { kind, isChange: at.which === 'change' })
      return test === null ? null : { kind: 'field', field: named, at, test }
    }
  }
}

function atOf({ which, folderId, baseline }: FieldDraft): AnswerAt | null {
  switch (which) {
    case 'any':
    case 'every':
    case 'first':
    case 'last':
      return { which }
    case 'visit':
      return folderId === null ? null : { which, folderId }
    case 'change':
      return baseline === null ? null : { which, folderId, baseline }
  }
}

/** Whether a part of a draft is not finished. */
export function isIncomplete(draft: Draft): boolean {
  return draft.kind === 'group' ? draft.of.some(isIncomplete) : conditionOf(draft) === null
}

/** The draft of a condition that was kept. @param kindOf what the answers of a field are, where it is known */
export function draftFrom(of: Condition, kindOf: (field: AnswerField) => Tested['kind']): Draft {
  const id = newId()
  switch (of.kind) {
    case 'all':
    case 'any':
      return { id, kind: 'group', mode: of.kind, of: of.of.map((one) => draftFrom(one, kindOf)) }
    case 'not': {
      const inner = draftFrom(of.of, kindOf)
      const parts = inner.kind === 'group' && inner.mode === 'any' ? inner.of : [inner]
      return { id, kind: 'group', mode: 'not', of: parts }
    }
    case 'center':
      return { id, kind: 'center', centers: of.centers }
    case 'sex':
      return { id, kind: 'sex', sex: of.sex }
    case 'enrolled':
      return { id, kind: 'enrolled', from: of.from, to: of.to }
    case 'field': {
      const { field, at, test } = of
      return {
        id,
        kind: 'field',
        pageId: field.pageId,
        table: field.table,
        field: { ...field, kind: kindOf(field) },
        which: at.which,
        folderId: at.which === 'visit' || at.which === 'change' ? at.folderId : null,
        baseline: at.which === 'change' ? at.baseline : null,
        test: draftOf(test),
      }
    }
  }
}

export function rootFrom(of: Condition, kindOf: (field: AnswerField) => Tested['kind']): GroupDraft {
  const draft = draftFrom(of, kindOf)
  return draft.kind === 'group' ? draft : newGroup([draft])
}
