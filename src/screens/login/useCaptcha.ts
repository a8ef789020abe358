import { useState } from 'react'
import type { ApiError } from '#core/api/errors.ts'
import { loadPart } from '#src/parts/loadPart.ts'
import type { SignInInput } from '#src/session/types.ts'
import { useSession } from '#src/session/useSession.ts'

/** What the server asks for beside a password after some wrong ones. */
export interface CaptchaTask {
  /** Address of the picture; null while no captcha is asked for. */
  readonly image: string | null
  readonly code: string
  /** How far the device's own computation is. */
  readonly working: 'no' | 'busy' | 'done'
  readonly type: (code: string) => void
  readonly newPicture: () => Promise<void>
  /** For users who cannot read the picture. It takes the device a while. */
  readonly workInstead: () => Promise<void>
  /** The answer that is sent with the password. */
  readonly answer: SignInInput['captcha']
  /** Whether a picture waits for its answer. */
  readonly isOpen: boolean
  /** Called after a refusal. A picture can be used only once, and is asked for only after some failures. */
  readonly follow: (refusal: ApiError) => Promise<void>
}

/** @param onError gets the error when no captcha came */
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
