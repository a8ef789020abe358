import { Button, Group, Select, Stack, Text, Textarea } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataSetRun } from '#core/api/calls/data/dataset.ts'
import type { DataSetLink } from '#core/api/calls/data/datasetLinks.ts'
import type { ApiError } from '#core/api/errors.ts'
import { newId } from '#core/ids.ts'
import { useServerAction, useServerQuery } from '#src/data/server.ts'
import { ServerButton } from '#src/frame/shell/ServerButton.tsx'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { Sheet } from '#src/ui/dialogs/Sheet.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { fullTime } from '#src/ui/words/format.ts'

import classes from '../export.module.css'
import { scriptsFor } from './linkScripts.ts'

interface LinksDialogProps {
  readonly projectId: string
  readonly run: DataSetRun
  readonly onClose: () => void
}

/** Signed addresses by which programs outside fetch the file of an export, and what became of each. */
export function LinksDialog({ projectId, run, onClose }: LinksDialogProps) {
  const { t } = useTranslation('dataExport')
  const links = useServerQuery('dataset.links', { query: { projectId, runId: run.id }, projectId })
  return (
    <Sheet title={t('links.title')} size={720} closesOnTapBeside={false} isTall onClose={onClose}>
      <Stack>
        <Text>{t('links.text')}</Text>
        {run.mayDownload && <NewLink projectId={projectId} runId={run.id} />}
        <Loaded of={links} rows={2}>
          {(known) =>
            known.length === 0 ? (
              <Text c="dimmed">{t('links.none')}</Text>
            ) : (
              <ul className={classes.links}>
                {known.map((link) => (
                  <li key={link.id}>
                    <OneLink projectId={projectId} link={link} hasCsv={run.definition.formats.includes('csv')} />
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </Stack>
    </Sheet>
  )
}

const TIMES = { hour: 1, day: 24, threeDays: 72, week: 168 } as const
type Time = keyof typeof TIMES
const times = Object.keys(TIMES) as Time[]

function NewLink({ projectId, runId }: { readonly projectId: string; readonly runId: string }) {
  const { t } = useTranslation('dataExport')
  const errorText = useErrorText()
  const act = useServerAction()
  const [id, setId] = useState(newId)
  const [time, setTime] = useState<Time>('day')
  const [purpose, setPurpose] = useState('')
  const [isTried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<ApiError | null>(null)
  const make = async () => {
    setTried(true)
    if (purpose.trim() === '') return
    setBusy(true)
    setFailure(null)
    const body = { projectId, id, runId, hours: TIMES[time], purpose: purpose.trim() }
    const made = await act('dataset.linkMake', { body, projectId })
    setBusy(false)
    if (!made.ok) return setFailure(made.error)
    setId(newId())
    setPurpose('')
    setTried(false)
  }
  return (
    <Stack gap="sm">
      <Textarea
        size="md"
        required
        autosize
        maxLength={500}
        label={t('links.purpose')}
        description={t('links.purposeHint')}
        value={purpose}
        error={isTried && purpose.trim() === '' ? t('run.required') : null}
        onChange={(event) => setPurpose(event.currentTarget.value)}
      />
      <Group align="end">
        <Select
          size="md"
          allowDeselect={false}
          label={t('links.hours')}
          value={time}
          onChange={(next) => setTime(times.find((one) => one === next) ?? 'day')}
          data={times.map((one) => ({ value: one, label: t(`links.for.${one}`) }))}
        />
        <ServerButton size="md" loading={busy} onClick={() => void make()}>
          {t('links.make')}
        </ServerButton>
      </Group>
      {failure !== null && (
        <Note tone="error" live>
          {errorText(failure)}
        </Note>
      )}
    </Stack>
  )
}

interface OneLinkProps {
  readonly projectId: string
  readonly link: DataSetLink
  /** Whether the file has what the lines for programs read. */
  readonly hasCsv: boolean
}

function OneLink({ projectId, link, hasCsv }: OneLinkProps) {
  const { t } = useTranslation('dataExport')
  const errorText = useErrorText()
  const act = useServerAction()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<ApiError | null>(null)
  const end = async () => {
    setBusy(true)
    const ended = await act('dataset.linkEnd', { body: { projectId, id: link.id }, projectId })
    setBusy(false)
    setFailure(ended.ok ? null : ended.error)
  }
  const { uses, usedAt } = link
  return (
    <Stack gap={6}>
      <strong>{link.purpose}</strong>
      <Text size="sm" c="dimmed">
        {t('links.made', { name: link.madeByName, at: fullTime(link.madeAt) })}
      </Text>
      <Text size="sm">
        {link.state === 'ended' && link.endedAt !== null
          ? t('links.ended', { name: link.endedByName, at: fullTime(link.endedAt) })
          : t(`links.state.${link.state === 'expired' ? 'expired' : 'open'}`, { at: fullTime(link.expiresAt) })}
        {' · '}
        {usedAt === null ? t('links.unused') : t('links.used', { count: uses, at: fullTime(usedAt) })}
      </Text>
      {link.path !== null && <Scripts address={`${window.location.origin}${link.path}`} hasCsv={hasCsv} />}
      {link.state === 'open' && (
        <Group>
          <ServerButton size="md" variant="default" loading={busy} onClick={() => void end()}>
            {t('links.end')}
          </ServerButton>
        </Group>
      )}
      {failure !== null && (
        <Note tone="error" live>
          {errorText(failure)}
        </Note>
      )}
    </Stack>
  )
}

/** The address itself, and the lines of a program that reads the data by it: each is copied as a whole. */
function Scripts({ address, hasCsv }: { readonly address: string; readonly hasCsv: boolean }) {
  const { t } = useTranslation('dataExport')
  const [copied, setCopied] = useState<string | null>(null)
  const copy = async (name: string, text: string) => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(t('links.copied', { what: name }))
    } catch {
      // Without https there is no clipboard: the text is there to be marked.
      setCopied(t('links.notCopied'))
    }
  }
  const all = [{ name: t('links.address'), text: address }, ...(hasCsv ? scriptsFor(address) : [])]
  return (
    <>
      <Group gap="xs">
        {all.map(({ name, text }) => (
          <Button
            key={name}
            size="md"
            variant="default"
            leftSection={<IconCopy size={18} aria-hidden="true" />}
            onClick={() => void copy(name, text)}
          >
            {t('links.copy', { what: name })}
          </Button>
        ))}
      </Group>
      <output className={classes.hint} aria-live="polite">
        {copied}
      </output>
      <details className={classes.folded}>
        <summary>{t('links.show')}</summary>
        {all.map(({ name, text }) => (
          <pre key={name} className={classes.script}>
            {text}
          </pre>
        ))}
      </details>
    </>
  )
}
