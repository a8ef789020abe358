import { useCallback, useRef, useState } from 'react'
import type { SubmitEvent } from 'react'
import type { ApiError } from '#core/api/errors.ts'
import type { SessionState } from '#src/session/types.ts'
import { useSession } from '#src/session/useSession.ts'

export type LockedSession = Extract<SessionState, { state: 'locked' }>

/** Whose password is asked for, and whether it is their sign-in password although a lock password would do. */
interface Way {
  readonly account: string
  readonly bySignIn: boolean
}

interface Unlocking extends Way {
  /** Whether the lock password is asked for. */
  readonly usesLock: boolean
  readonly password: string
  readonly setPassword: (password: string) => void
  readonly busy: boolean
  readonly error: ApiError | null
  /** Whether the last try of the lock password is used up. */
  readonly spent: boolean
  /** The password field, which gets the focus again after each change of user or kind, and after each try. */
  readonly field: (field: HTMLInputElement | null) => void
  readonly turnTo: (way: Way) => void
  readonly submit: (event: SubmitEvent<HTMLFormElement>) => Promise<void>
}

/** Unlocks a device with one of the passwords that it knows. */
export function useUnlocking({ user, triesLeft }: LockedSession): Unlocking {
  const { unlock, openLock } = useSession()
  const [{ account, bySignIn }, setWay] = useState<Way>({ account: user.account, bySignIn: false })
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const [spent, setSpent] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  // The password is the only thing to enter here, so the field gets the focus and the user can type at once.
  const arrived = useCallback((field: HTMLInputElement | null) => {
    input.current = field
    field?.focus()
  }, [])
  const usesLock = triesLeft !== null && !bySignIn && account === user.account

  const turnTo = (way: Way) => {
    setWay(way)
    setPassword('')
    setError(null)
    setSpent(false)
    input.current?.focus()
  }
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (password === '') return
    setBusy(true)
    const result = await (usesLock ? openLock(password) : unlock(password, account))
    setBusy(false)
    setPassword('')
    setError(result.ok ? null : result.error)
    setSpent(usesLock && triesLeft === 1)
    input.current?.focus()
  }
  return { account, bySignIn, usesLock, password, setPassword, busy, error, spent, field: arrived, turnTo, submit }
}
