import { gapsMissed, leasedTwice, passesMixed, photographs, visitsLost, visitsUnaudited } from './casebookFates.ts'
import { gather } from './evidence.ts'
import { missing } from './fates.ts'
import { answersInDisorder, answersLost, queriesDiverged, queriesTwice, queriesUnaudited } from './queryFates.ts'
import { reviewsBroken } from './reviewFates.ts'
import type { Ward } from './run.ts'
import { settle } from './settle.ts'
import { diverged, renumbered, unexplained } from './tabletsAgree.ts'
import {
  correctedWithoutReason,
  ownConflicts,
  rulesBroken,
  heldWhereNobodyLooks,
  takenUpInDisorder,
  twice,
  unseen,
} from './bookings.ts'
import { unaudited } from './trail.ts'
import { untold } from './reasonsTold.ts'
import { staleAcrossPages, wronglyRecalculated } from './acrossPages.ts'

/**
 * Whether a ward kept its promises. It knows what people meant (`said.ts`) and what is there at the end
 * (`evidence.ts`), and nothing of how the product gets from the one to the other.
 *
 * (a) nothing saved is missing · (b) nothing is applied twice · (c) nothing is changed without a word in the audit
 * trail, or over what its author had not seen · (d) all tablets hold and show what the server holds · (e) every refusal
 * is visible, nothing waits for ever · (f) a subject number that was shown never changes and is never shared
 */
export async function judge(ward: Ward): Promise<readonly string[]> {
  const rests = await settle(ward)
  const evidence = await gather(ward)
  const { all, perhaps } = ward.log
  return [
    ...(rests ? [] : ['(e) the ward never comes to rest']),
    ...ward.log.unsealable.map(
      (said) => `(a) typed on a page that took it, where nothing could be sealed: ${JSON.stringify(said)}`,
    ),
    ...missing(all, perhaps, evidence),
    ...twice(evidence, [...all, ...perhaps]),
    ...unseen(evidence, [...all, ...perhaps], ward),
    ...rulesBroken(evidence),
    ...correctedWithoutReason(evidence),
    ...heldWhereNobodyLooks(evidence),
    ...(ward.restored ? [] : ownConflicts(evidence)),
    ...(ward.restored ? [] : takenUpInDisorder(evidence)),
    ...(await unaudited(evidence, ward)),
    ...untold(evidence),
    ...(await staleAcrossPages(evidence, ward)),
    ...wronglyRecalculated(evidence),
    ...(await diverged(ward, evidence)),
    ...unexplained(ward, evidence),
    ...renumbered(ward, evidence),
    ...(await leasedTwice(ward)),
    ...(await photographs(ward, evidence)),
    ...visitsLost(ward, evidence),
    ...visitsUnaudited(evidence),
    ...(await gapsMissed(ward, evidence)),
    ...passesMixed(evidence),
    ...answersLost(ward, evidence),
    ...queriesTwice(evidence),
    ...queriesUnaudited(evidence),
    ...(ward.restored ? [] : answersInDisorder(evidence)),
    ...(await queriesDiverged(ward, evidence)),
    ...(await reviewsBroken(ward, evidence)),
  ]
}
