// @module-tag node

import { expect, it } from 'vitest'
import { escapeMarkup } from '../../src/platform/markup.ts'

it('Escaped markup has no special character of content or attributes', () => {
  expect(escapeMarkup(`<a title="R&D" lang='en'>`)).toBe('&lt;a title=&quot;R&amp;D&quot; lang=&#39;en&#39;&gt;')
})
