import { useEffect, useState } from 'react'
import { sharedValue } from '#src/frame/sharedValue.ts'
import type { KnownUser, SessionState } from '#src/session/types.ts'

/** Whether people were known here last time: then no account is asked for while the device's memory is being opened. */
const arePeopleKnown = sharedValue('zhenglu.people', (stored) => stored === true)

const NOBODY: readonly KnownUser[] = []

/** Who signs in: one of the people of this device, or whose account is typed. */
export interface Who {
  readonly people: readonly KnownUser[]
  /** Whether the people of this device are to choose from; otherwise an account is typed. */
  readonly isTiled: boolean
  /** The person whose tile was tapped; null where none was. */
  readonly chosen: string | null
  /** Empty while nobody is named. */
  readonly account: string
  readonly choose: (account: string) => void
  readonly type: (account: string) => void
  readonly setOther: (isOther: boolean) => void
}

export function useWho(current: SessionState): Who {
  const [typed, type] = useState('')
  const [chosen, choose] = useState<string | null>(null)
  const [isOther, setOther] = useState(false)
  const people = current.state === 'signed_out' ? current.knownUsers : NOBODY
  // Whoever has begun to type goes on typing.
  const isTiled =
    !isOther && typed === '' && (people.length > 0 || (current.state === 'starting' && arePeopleKnown.get()))
  useEffect(() => {
    if (current.state === 'signed_out') arePeopleKnown.set(people.length > 0)
  }, [current.state, people])
  // A tablet with one user offers this user.
  const offered = people.length === 1 ? (people[0]?.account ?? '') : ''
  return {
    people,
    isTiled,
    chosen,
    account: isTiled ? (chosen ?? offered) : typed,
    choose,
    type,
    setOther: (other) => {
      setOther(other)
      type('')
    },
  }
}
