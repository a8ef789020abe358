import type { AttentionView } from '#src/data/shapes/types.ts'

/**
 * What has to be done about something: decide between two values; correct or submit again; say why; take note of what
 * came back; or nothing, because somebody else has to act.
 */
export const TASKS = ['decide', 'correct', 'explain', 'note', 'wait'] as const
export type AttentionTask = (typeof TASKS)[number]

const TASK_OF: Readonly<Record<AttentionView['kind'], AttentionTask>> = {
  conflict: 'decide',
  rejected: 'correct',
  bounced: 'correct',
  reason: 'explain',
  returned: 'note',
  overruled: 'note',
  inbox: 'wait',
  held: 'wait',
}

export interface AttentionGroup {
  readonly task: AttentionTask
  readonly items: readonly AttentionView[]
}

/** Puts together what is done in the same way; what needs the reader first, what waits for others last. */
export function groupByTask(items: readonly AttentionView[]): readonly AttentionGroup[] {
  const byTask = Map.groupBy(items, ({ kind, reason }) =>
    // Only the colleague can say why.
    reason === 'reason_of_colleague' ? 'wait' : TASK_OF[kind],
  )
  return TASKS.flatMap((task) => {
    const found = byTask.get(task)
    return found === undefined ? [] : [{ task, items: found }]
  })
}
