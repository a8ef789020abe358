import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useEntered } from '#src/data/hooks/sync.ts'
import { EnteredList } from '#src/form/EnteredList.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

import classes from './attention.module.css'

/** Shows on demand what was entered. A person must know what they decide about, and may have to enter it again. */
export function Entered({ opKey, where }: { readonly opKey: string; readonly where: string }) {
  const { t } = useTranslation(['attention', 'form'])
  const id = useId()
  const [shown, setShown] = useState(false)
  return (
    <>
      <button
        type="button"
        className={classes.toggle}
        aria-expanded={shown}
        aria-controls={id}
        aria-label={`${shown ? t('entered.hide') : t('entered.show')}${t('form:colon')}${where}`}
        onClick={() => setShown(!shown)}
      >
        {shown ? t('entered.hide') : t('entered.show')}
      </button>
      <div id={id}>{shown && <Values opKey={opKey} />}</div>
    </>
  )
}

function Values({ opKey }: { readonly opKey: string }) {
  const { t } = useTranslation('attention')
  const errorText = useErrorText()
  const entered = useEntered(opKey)
  if (entered.state === 'loading') return null
  if (entered.state === 'failed')
    return <p>{entered.error.code === 'not_found' ? t('entered.unreadable') : errorText(entered.error)}</p>
  return (
    <div className={classes.entered}>
      <EnteredList entered={entered.value} />
    </div>
  )
}
