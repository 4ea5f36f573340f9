import { csvOf, type Report } from './report.ts';
import { reportPage } from './report-page.ts';

/** A report as a page, a table or a value. */
export function textOfReport(report: Report, form: 'html' | 'csv' | 'json', title: string): string {
  switch (form) {
    case 'html':
      return reportPage(report, title);
    case 'csv':
      return csvOf(report);
    case 'json':
      return `${JSON.stringify(report)}\n`;
    default:
      return form satisfies never;
  }
}
