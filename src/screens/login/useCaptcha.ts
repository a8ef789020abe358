import { useState } from 'react'
import type { ApiError } from '#core/api/errors.ts'
import { loadPart } from '#src/session/loadPart.ts'
import type { SignInInput } from '#src/session/types.ts'
import { useSession } from '#src/session/useSession.ts'

/** What the server asks for beside a password once it was told a wrong one a few times. */
export interface CaptchaTask {
  /** Where the picture is drawn; null while nothing is asked for. */
  readonly image: string | null
  readonly code: string
  /** A device that works something out in place of its user. */
  readonly working: 'no' | 'busy' | 'done'
  readonly type: (code: string) => void
  readonly newPicture: () => Promise<void>
  /** For whoever cannot read the picture. It takes the device a while. */
  readonly workInstead: () => Promise<void>
  /** What goes along with the password. */
  readonly answer: SignInInput['captcha']
  /** Whether a picture waits to be typed off. */
  readonly isOpen: boolean
  /** After a refusal: a picture serves once, and is asked for only after some failures. */
  readonly follow: (refusal: ApiError) => Promise<void>
}

/** @param onError is told why no captcha came */
export function useCaptcha(onError: (error: ApiError) => void): CaptchaTask {
  const { captcha } = useSession()
  const [picture, setPicture] = useState<{ readonly key: string; readonly image: string } | null>(null)
  const [code, setCode] = useState('')
  const [working, setWorking] = useState<CaptchaTask['working']>('no')

  const newPicture = async () => {
    setWorking('no')
    const result = await captcha()
    setPicture(result.ok ? result.value : null)
    setCode('')
  }
  const workInstead = async () => {
    setWorking('busy')
    const result = await captcha('work')
    if (!result.ok || result.value.workBits === undefined) {
      setWorking('no')
      if (!result.ok) onError(result.error)
      return
    }
    const { key, workBits } = result.value
    const part = await loadPart(() => import('#src/session/solveCaptchaWork.ts'))
    if (part === null) {
      setWorking('no')
      return onError({ code: 'offline' })
    }
    setCode(await part.solveCaptchaWork(key, workBits))
    setPicture({ key, image: '' })
    setWorking('done')
  }
  return {
    image: picture?.image ?? null,
    code,
    working,
    type: setCode,
    newPicture,
    workInstead,
    answer: picture === null ? null : { key: picture.key, code: code.trim() },
    isOpen: picture !== null && code.trim() === '',
    follow: async (refusal) => {
      if (picture !== null || refusal.code === 'captcha_wrong') await newPicture()
    },
  }
}
