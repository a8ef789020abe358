import { useEffect, useRef } from 'react'

/** Whether the screen or dialog was left, for work of many steps that is to stop then. */
export function useLeft(): { readonly current: boolean } {
  const isLeft = useRef(false)
  useEffect(() => {
    isLeft.current = false
    return () => {
      isLeft.current = true
    }
  }, [])
  return isLeft
}
