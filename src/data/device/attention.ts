import type { ApiError } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'
import { setAside as setRowAside } from '#offline/outbox/setAside.ts'
import { readAttention } from '#src/data/casebook/readAttention.ts'
import { readConflict, readServerConflicts } from '#src/data/casebook/readConflict.ts'
import { readEntered } from '#src/data/lists/readEntered.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import type { Reading } from '#src/data/shapes/reading.ts'
import type {
  AttentionView,
  ConflictView,
  DecisionInput,
  EnteredView,
  LocalWrite,
  ServerConflict,
} from '#src/data/shapes/types.ts'
import { decide, noteReturn } from '#src/data/writes/decide.ts'

/** What needs a person, and what they do about it. */
export interface AttentionData {
  attention(): Reading<readonly AttentionView[]>
  conflict(projectId: string, entryId: string, conflictId: string): Reading<ConflictView>
  /** Open conflicts of centers that are not kept here; empty without the server. */
  serverConflicts(): Reading<readonly ServerConflict[]>
  /**
   * What was entered in an operation that is unsent or that the server has taken; `not_found` where this user's keys do
   * not open it.
   */
  entered(opKey: string): Reading<EnteredView>
  /** Decides a conflict: on this device where its center is kept, otherwise at the server. */
  decideConflict(conflict: ConflictView, decision: DecisionInput): Promise<LocalWrite>
  /**
   * A person has taken note of what was returned from the inbox, or of another person's word that stands. The receipt
   * stays.
   */
  noteReturn(opKey: string): Promise<Result<true, ApiError>>
  /** Puts a refused operation aside, with a reason. The operation stays on the device, readable and exportable. */
  setAside(opKey: string, reason: string): Promise<LocalWrite>
}

export function makeAttentionData(context: DataContext): AttentionData {
  return {
    attention: () => readAttention(context),
    conflict: (projectId, entryId, conflictId) => readConflict(context, projectId, entryId, conflictId),
    serverConflicts: () => readServerConflicts(context),
    entered: (opKey) => readEntered(context, opKey),
    decideConflict: (conflict, decision) => decide(context, conflict, decision),
    noteReturn: (opKey) => noteReturn(context, opKey),
    setAside: async (opKey, reason) => {
      const author = context.author()
      if (author === null) return { ok: false, error: { code: 'vault_locked' } }
      const done = await setRowAside(context.storage, author, opKey, reason)
      if (done.ok) context.kickSync()
      return done.ok ? { ok: true, at: new Date().toISOString() } : done
    },
  }
}
