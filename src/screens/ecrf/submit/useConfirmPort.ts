import { useMemo } from 'react'
import { addressOf } from '#core/form/definition/address.ts'
import { warningName } from '#core/form/engine/warning.ts'
import type { ConfirmPort } from '#src/form/formContext.ts'
import { useSession } from '#src/session/useSession.ts'

import type { Autosave } from '#src/screens/ecrf/page/autosave.ts'

/** Takes answers to warnings of an open page, in the name of the user who is signed in. */
export function useConfirmPort(autosave: Autosave, needsReason: boolean): ConfirmPort {
  const { current } = useSession()
  const [userId, realName] = current.state === 'open' ? [current.user.userId, current.user.realName] : ['', '']
  return useMemo(
    () => ({
      needsReason,
      give: ({ cell, warning, reason }) => {
        const { says } = warning
        autosave.confirm({
          ...addressOf(cell.key),
          warning: warningName(warning),
          says,
          value: cell.value,
          reason,
          at: new Date().toISOString(),
          by: userId,
          byName: realName,
          receivedAt: null,
        })
      },
    }),
    [autosave, needsReason, userId, realName],
  )
}
