import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { noticeGroups } from '#core/api/noticeKinds.ts'
import type { NoticeGroup } from '#core/api/noticeKinds.ts'
import { appPaces, messagePaces, noticeWays, SILENCEABLE, usualSetting } from '#core/api/noticeSettings.ts'
import type { NoticeSetting, NoticeWay } from '#core/api/noticeSettings.ts'
import { useServerAction, useServerQuery } from '#src/data/server.ts'
import type { ServerAnswer } from '#src/data/server.ts'
import { SubmitDialog } from '#src/ui/dialogs/SubmitDialog.tsx'
import { Sheet } from '#src/ui/dialogs/Sheet.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'

import classes from './noticeSettings.module.css'

/** How the user is told of each group of notices: in the app, and besides by the ways that can reach them. */
export function NoticeSettingsDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('notices')
  const found = useServerQuery('notice.settings', {})
  if (found.state === 'ready') return <SettingsForm given={found.value} onClose={onClose} />
  return (
    <Sheet title={t('settings.title')} size="xl" onClose={onClose}>
      <Loaded of={found} rows={noticeGroups.length}>
        {() => null}
      </Loaded>
    </Sheet>
  )
}

type Given = ServerAnswer<'notice.settings'>
type Way = 'app' | NoticeWay

interface FormProps {
  readonly given: Given
  readonly onClose: () => void
}

function SettingsForm({ given, onClose }: FormProps) {
  const { t } = useTranslation('notices')
  const act = useServerAction()
  const [changed, setChanged] = useState<Readonly<Partial<Record<NoticeGroup, NoticeSetting>>>>({})
  const settingOf = (group: NoticeGroup): NoticeSetting => changed[group] ?? given.groups[group] ?? usualSetting(group)
  // A way that nobody set up at all is not spoken of; e-mail is, because people look for it.
  const ways = noticeWays.filter((way) => given.ways[way] === 'ready')
  const columns: readonly Way[] = ['app', ...ways]
  const choose = (group: NoticeGroup, way: Way, value: string) => {
    const setting = settingOf(group)
    const pace = messagePaces.find((one) => one === value) ?? 'never'
    const next =
      way === 'app'
        ? ({ ...setting, app: value === 'never' ? 'never' : 'at_once' } as const)
        : { ...setting, [way]: pace }
    setChanged({ ...changed, [group]: next })
  }
  return (
    <SubmitDialog
      title={t('settings.title')}
      submit={t('settings.save')}
      size="xl"
      onClose={onClose}
      onSubmit={() => act('notice.setSettings', { body: { groups: { ...changed } } })}
    >
      <p className={classes.intro}>{t('settings.intro')}</p>
      {(given.ways.email !== 'ready' || given.ways.note === 'no_address') && (
        <Note tone="info">
          {given.ways.email !== 'ready' && <p className={classes.bar}>{t(`settings.noEmail.${given.ways.email}`)}</p>}
          {given.ways.note === 'no_address' && <p className={classes.bar}>{t('settings.noPhone')}</p>}
        </Note>
      )}
      <ul className={classes.groups} aria-label={t('settings.title')}>
        {noticeGroups.map((group) => (
          <li key={group}>
            <h3 className={classes.name}>{t(`group.${group}`)}</h3>
            <div className={classes.ways}>
              {columns.map((way) => (
                <PaceChoice
                  key={way}
                  group={group}
                  way={way}
                  value={settingOf(group)[way]}
                  onChange={(value) => choose(group, way, value)}
                />
              ))}
            </div>
          </li>
        ))}
      </ul>
    </SubmitDialog>
  )
}

interface ChoiceProps {
  readonly group: NoticeGroup
  readonly way: Way
  readonly value: string
  readonly onChange: (value: string) => void
}

/** By one way, of one group. What asks for something is always told in the app: there is nothing to choose. */
function PaceChoice({ group, way, value, onChange }: ChoiceProps) {
  const { t } = useTranslation('notices')
  const label = t(`settings.way.${way}`)
  const isFixed = way === 'app' && !SILENCEABLE.has(group)
  return (
    <div className={classes.way}>
      <span className={classes.label} aria-hidden={!isFixed}>
        {label}
      </span>
      {isFixed ? (
        <span className={classes.fixed}>{t('settings.always')}</span>
      ) : (
        <SegmentedControl
          size="md"
          className={classes.choice ?? ''}
          data-way={way}
          fullWidth={way === 'app'}
          aria-label={t('settings.choose', { group: t(`group.${group}`), way: label })}
          value={value}
          onChange={onChange}
          data={(way === 'app' ? appPaces : messagePaces).map((pace) => ({
            value: pace,
            label: t(`settings.pace.${pace}`),
          }))}
        />
      )}
    </div>
  )
}
