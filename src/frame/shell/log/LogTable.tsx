import { useTranslation } from 'react-i18next'
import type { DeviceLogLine } from '#core/api/calls/log.ts'
import classes from '#src/frame/shell/shell.module.css'
import { DataTable } from '#src/ui/lists/DataTable.tsx'
import type { DataColumn } from '#src/ui/lists/DataTable.tsx'
import { fullTime } from '#src/ui/words/format.ts'

const TYPES = ['error', 'unhandledrejection', 'screen', 'api', 'sync'] as const

/** The noted errors, each with where it happened and the stack frames. */
export function LogTable({ lines }: { readonly lines: readonly DeviceLogLine[] }) {
  const { t } = useTranslation('log')
  const typeName = (type: string): string => {
    const known = TYPES.find((one) => one === type)
    return known === undefined ? type : t(`type.${known}`)
  }
  const columns: readonly DataColumn<DeviceLogLine>[] = [
    { key: 'type', title: t('columns.type'), cell: ({ type }) => typeName(type), short: true },
    { key: 'url', title: t('columns.url'), cell: ({ url }) => <code className={classes.logCode}>{url}</code> },
    {
      key: 'message',
      title: t('columns.message'),
      cell: ({ message, info }) => (
        <code className={classes.logCode}>
          {message}
          {/* Frames of the screen are shown with the stack. */}
          {info !== undefined && info !== '' && !info.includes('\n') && ` · ${info}`}
        </code>
      ),
    },
    { key: 'stack', title: t('columns.stack'), cell: (line) => <LogStack line={line} /> },
    {
      key: 'time',
      title: t('columns.time'),
      cell: ({ time }) => <time dateTime={time}>{fullTime(time)}</time>,
      short: true,
    },
  ]
  return (
    <DataTable
      caption={t('title')}
      columns={columns}
      rows={lines}
      rowKey={(line) => `${line.time} ${line.type} ${line.message} ${line.url}`}
    />
  )
}

function LogStack({ line: { stack, info } }: { readonly line: DeviceLogLine }) {
  const { t } = useTranslation('log')
  const whole = [stack, info?.includes('\n') === true ? info : '']
    .filter((part) => part !== undefined && part !== '')
    .join('\n\n')
  if (whole === '') return <span className={classes.logNone}>{t('stack.none')}</span>
  return (
    <details>
      <summary className={classes.logMore}>{t('stack.show')}</summary>
      <pre className={classes.logStack}>{whole}</pre>
    </details>
  )
}
