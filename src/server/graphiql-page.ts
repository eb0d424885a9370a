import { renderGraphiQL } from '@graphql-yoga/render-graphiql';

/**
 * Tabs stay where they are drawn. When the window is measured, GraphiQL shifts each by half of the
 * bar, and hides that by a rule of its own until the tab has the focus: pressed, it would then jump
 * from under the pointer, and the click be lost.
 */
const STYLE = '<style>.graphiql-tab { transform: none !important; }</style>';

/** The page of GraphiQL, whole: it fetches nothing from elsewhere. */
export function renderGraphiQLPage(options: Parameters<typeof renderGraphiQL>[0]): string {
  const page = renderGraphiQL(options);
  // Its last tag of the kind: the scripts in between are megabytes, and hold others as text.
  const end = page.lastIndexOf('</body>');
  return `${page.slice(0, end)}${STYLE}${page.slice(end)}`;
}
