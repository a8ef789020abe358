import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '#src/session/useSession.ts'
import { fullTime } from '#src/ui/words/format.ts'

/** Only on paper: who printed it and when, so that a sheet can be told from a newer one. */
export function PrintedLine() {
  const { t } = useTranslation('shell')
  const { current } = useSession()
  const [at, setAt] = useState(() => new Date().toISOString())
  useEffect(() => {
    const note = () => setAt(new Date().toISOString())
    window.addEventListener('beforeprint', note)
    return () => window.removeEventListener('beforeprint', note)
  }, [])
  if (current.state !== 'open') return null
  return <p className="zl-print-only">{t('printed', { name: current.user.realName, time: fullTime(at) })}</p>
}
