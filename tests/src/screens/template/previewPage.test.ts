import { describe, expect, test } from 'vitest'
import { previewPage } from '#src/screens/template/previewPage.ts'

const page = (pageCode: string, column: readonly object[]) => ({ pageCode, option: JSON.stringify({ column }) })
const number = (prop: string, zl: object = {}) => ({ prop, label: prop, type: 'number', zl })
const folder = (...pages: readonly { pageCode: string; option: string }[]) => ({ folderCode: 'BL', pages })

describe('a page of a template', () => {
  test('keeps its rules, also those that read another page of the template', () => {
    const preview = previewPage(
      folder(page('A', [number('x'), number('y', { calculate: 'page.x + visit.B.z' })]), page('B', [number('z')])),
      'A',
    )
    expect(preview?.withoutRules).toEqual([])
    expect(preview?.compiled.cells.get('y')?.calculate).not.toBeNull()
  })

  test('is drawn without the rules that read a page that is not in it, and they are named', () => {
    const preview = previewPage(
      folder(
        page('A', [
          number('x', { show: 'visit.GONE.z > 1.0' }),
          number('y', { calculate: 'page.x * 2' }),
          {
            prop: 't',
            label: 't',
            type: 'dynamic',
            children: { column: [number('u', { calculate: 'visit.GONE.z' }), number('v', { calculate: 'row.u * 2' })] },
          },
        ]),
      ),
      'A',
    )
    expect(preview?.withoutRules).toEqual(['x', 't.u'])
    expect(preview?.compiled.cells.get('x')?.show).toBeNull()
    expect(preview?.compiled.cells.get('y')?.calculate).not.toBeNull()
    expect(preview?.compiled.cells.get('t')?.table?.cells.get('v')?.calculate).not.toBeNull()
  })

  test('whose rules wait for each other is drawn without any', () => {
    const preview = previewPage(
      folder(page('A', [number('x', { calculate: 'page.y' }), number('y', { calculate: 'page.x' })])),
      'A',
    )
    expect(preview?.withoutRules).toEqual(['x', 'y'])
  })

  test('that cannot be read is none', () =>
    expect(previewPage(folder({ pageCode: 'A', option: 'nothing' }), 'A')).toBeNull())
})
