import { Button, Progress } from '@mantine/core'
import { IconCircleCheck, IconDeviceTablet } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#core/api/errors.ts'
import { useDownload, useKeeping } from '#src/data/hooks/sync.ts'
import type { Download, ScopeView } from '#src/data/shapes/scopeTypes.ts'
import { useDataActions } from '#src/data/hooks/useDevice.ts'
import { useSession } from '#src/session/useSession.ts'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

import classes from './keepBanner.module.css'

interface KeepBannerProps {
  readonly projectId: string
}

/**
 * Offers to keep the user's centers on this tablet, and shows the progress. Shows nothing once they are kept. Where
 * only opened patients of a center are here, it says so. What stands below it in the same frame is shown together with
 * it, so that it pushes nothing down.
 */
export function KeepBanner({ projectId }: KeepBannerProps) {
  const { t } = useTranslation()
  const scopes = useKnownScopes(projectId)
  return scopes === null ? (
    <output className={classes.unknown} data-waiting aria-label={t('loading')} />
  ) : (
    <Banners key={projectId} scopes={scopes} />
  )
}

/**
 * What this device keeps or could keep of a project; null until it is known. Where it keeps something, that decides.
 * Where it keeps nothing, the list comes from the server, and so does what can be kept: at least the project itself.
 */
function useKnownScopes(projectId: string): readonly ScopeView[] | null {
  const scopes = useKeeping(projectId)
  const { current, reachable } = useSession()
  if (scopes.state === 'loading') return null
  if (scopes.state === 'failed') return NONE
  const isAsked = current.state === 'open' && current.online && reachable !== false
  return isAsked && scopes.value.length === 0 ? null : scopes.value
}

const NONE: readonly ScopeView[] = []

function Banners({ scopes }: { readonly scopes: readonly ScopeView[] }) {
  const download = useDownload()
  const [wholeAtFirst] = useState(() => new Map(scopes.map((scope) => [scope.scope, isWhole(scope)])))
  const keepsSome = scopes.some(({ kept }) => kept)
  // Where something is kept, the list did not wait for the server. What that offers besides is for the next time.
  const ofCenters = scopes.filter(({ center, scope }) => center !== null && (!keepsSome || wholeAtFirst.has(scope)))
  const withheld = ofCenters.filter((scope) => scope.withheld)
  const centers = ofCenters.filter((scope) => !scope.withheld)
  // Members of one or two centers work at the bedside; from a longer list people choose on the page of this device.
  const offered = centers.filter(({ kept }) => !kept)
  const running = centers.find(({ scope }) => scope === download?.scope)
  // A chosen center is not yet a downloaded one: the banner stays until the first download has ended, even while no
  // download runs.
  const waiting = centers.filter(({ kept, pulledAt, scope }) => kept && pulledAt === null && scope !== download?.scope)
  // It ends under somebody's eyes: the banner stays until the next time, so that nothing moves up under a finger.
  const done = centers.filter((scope) => isWhole(scope) && wholeAtFirst.get(scope.scope) === false && scope !== running)
  return (
    <>
      {running !== undefined && download !== null && <Running scope={running} download={download} />}
      {waiting.map((scope) => (
        <Running key={scope.scope} scope={scope} download={null} />
      ))}
      {done.map((scope) => (
        <Done key={scope.scope} center={scope.center?.centerName ?? ''} />
      ))}
      {withheld.map(({ scope, center }) => (
        <Withheld key={scope} center={center?.centerName ?? ''} />
      ))}
      {offered.map(
        (scope) => (ofCenters.length <= 2 || scope.opened !== null) && <Offer key={scope.scope} scope={scope} />,
      )}
    </>
  )
}

/** Whether a scope is kept and has been downloaded to its end once. */
function isWhole({ kept, pulledAt }: ScopeView): boolean {
  return kept && pulledAt !== null
}

/** The scope whose download waits for the password; null while none waits. */
let wanted: string | null = null

function Offer({ scope }: { readonly scope: ScopeView }) {
  const { keepScope } = useDataActions()
  const { lock, reachable } = useSession()
  const { t } = useTranslation('patients')
  const errorText = useErrorText()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const center = scope.center?.centerName ?? ''
  const title = scope.opened === null ? t('keep.title') : t('keep.opened', { center, count: scope.opened })
  // Without a network there is nothing to fetch; the banner still says what is here.
  const mayKeep = reachable !== false
  const keep = async () => {
    setBusy(true)
    setError(null)
    const result = await keepScope(scope.scope)
    setBusy(false)
    if (result.ok) return
    if (result.error.code !== 'vault_locked') return setError(result.error)
    // After a reload the keys need the password once more. It is asked for at once, and the download goes on after it.
    wanted = scope.scope
    await lock()
  }
  // The download was requested before the password was given: the banner that is shown afterwards goes on with it,
  // once.
  const goOn = useEffectEvent(() => {
    if (wanted !== scope.scope) return
    wanted = null
    // After this drawing, which must not start it itself.
    queueMicrotask(() => void keep())
  })
  useEffect(() => goOn(), [])
  return (
    <section className={classes.keep} aria-label={title}>
      <IconDeviceTablet size={28} stroke={1.5} aria-hidden="true" />
      <div className={classes.keepText}>
        <p>
          <strong>{title}</strong>
        </p>
        <p>{scope.opened === null ? t('keep.text', { center }) : t('keep.openedText')}</p>
        {mayKeep && (
          <p className={classes.keepSize}>
            {t(scope.opened === null ? 'keep.size' : 'keep.openedSize', {
              patients: scope.patients,
              entries: scope.entries,
            })}
          </p>
        )}
        {error !== null && (
          <Note tone="error" live>
            {t('keep.failed', { reason: errorText(error) })}
          </Note>
        )}
      </div>
      {mayKeep && (
        <Button size="md" loading={busy} onClick={() => void keep()}>
          {t('keep.submit')}
        </Button>
      )}
    </section>
  )
}

/**
 * Says why a member who sees only some patients of a center cannot keep it beside a colleague who keeps all of it, and
 * what to do.
 */
function Withheld({ center }: { readonly center: string }) {
  const { t } = useTranslation('patients')
  return (
    <section className={classes.keep} aria-label={t('keep.withheld', { center })}>
      <IconDeviceTablet size={28} stroke={1.5} aria-hidden="true" />
      <div className={classes.keepText}>
        <p>
          <strong>{t('keep.withheld', { center })}</strong>
        </p>
        <p>{t('keep.withheldWhy')}</p>
      </div>
    </section>
  )
}

/** A download has ended while somebody looked. */
function Done({ center }: { readonly center: string }) {
  const { t } = useTranslation('patients')
  return (
    <section className={classes.keep} aria-label={t('keep.done', { center })}>
      <IconCircleCheck className={classes.done} size={28} stroke={1.5} aria-hidden="true" />
      <p className={classes.keepText}>{t('keep.done', { center })}</p>
    </section>
  )
}

function Running({ scope, download }: { readonly scope: ScopeView; readonly download: Download | null }) {
  const { t } = useTranslation('patients')
  const { done, total } = download ?? { done: 0, total: 0 }
  const share = total === 0 ? 0 : (100 * done) / total
  const title = t('keep.running', { center: scope.center?.centerName ?? '' })
  return (
    <section className={classes.keep} aria-label={title}>
      <div className={classes.keepText}>
        <p>{title}</p>
        <p className={classes.keepSize}>
          {download === null ? t('keep.waiting') : t('keep.progress', { done, total })}
        </p>
      </div>
      <Progress className={classes.progress} value={share} aria-label={title} transitionDuration={120} />
    </section>
  )
}
