import type { BodyOf, DataOf } from '#core/api/call.ts'
import type { CallOf } from '#core/api/table.ts'
import type { EntryChange } from '#core/sync/entryChange.ts'
import type { Operation, QueueableCall } from '#core/sync/protocol/operation.ts'

/**
 * Operations with the body that their call says. `Operation` (core/sync/protocol) is what travels: its body is any JSON
 * until the call's own schema has looked at it. The server does that once, when an operation comes in; a tablet's own
 * outbox holds only what this app made with these types, sealed and authenticated, and is not parsed again.
 */

/** What an operation of a call says, as the contract has it; of several calls, what any of them says. */
export type OperationBody<Call extends QueueableCall = QueueableCall> = Call extends QueueableCall
  ? BodyOf<CallOf<Call>>
  : never

/** What the server answers to an operation of a call that it took. */
export type OperationResult<Call extends QueueableCall = QueueableCall> = Call extends QueueableCall
  ? DataOf<CallOf<Call>>
  : never

/** A call and what it says, as one: where `call` is known, so is `body`. */
export type CallWithBody<Call extends QueueableCall = QueueableCall> = Call extends QueueableCall
  ? { readonly call: Call; readonly body: OperationBody<Call> }
  : never

/** The call and what it says, out of something that holds more. */
export function callIn({ call, body }: CallWithBody): CallWithBody {
  // They come from one value and so belong together, which the compiler does not follow.
  return { call, body } as CallWithBody
}

/** An operation of one call; of several, a union that `call` tells apart. */
export type OperationOf<Call extends QueueableCall> = Call extends QueueableCall
  ? Omit<Operation, 'call' | 'body'> & CallWithBody<Call>
  : never

/** Any operation whose body was checked, or made by this app: `op.call === 'entry.save'` tells what `op.body` is. */
export type AnyOperation = OperationOf<QueueableCall>

/** Calls whose body is the change of an entry. */
export type EntryChangeCall = {
  [Call in QueueableCall]: OperationBody<Call> extends EntryChange ? Call : never
}[QueueableCall]

const entryChangeCalls = {
  'entry.save': true,
  'entry.smartSave': true,
  'entry.submit': true,
  'entry.insert': true,
  'entry.smartInsert': true,
} as const satisfies Record<EntryChangeCall, true>

/** Whether a call changes items and rows of an entry. */
export function isEntryChangeCall(call: QueueableCall): call is EntryChangeCall {
  return call in entryChangeCalls
}

/** Whether an operation, or what is to become one, changes items and rows of an entry. */
export function isEntryChange<Op extends CallWithBody>(op: Op): op is Extract<Op, { readonly call: EntryChangeCall }> {
  return isEntryChangeCall(op.call)
}
