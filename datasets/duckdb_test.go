package datasets

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"synochess/internal/files"
)

const duckdbPackage = "@duckdb/node-api@1.5.6-r.1"

// duckdbScript runs the statements of its arguments.
const duckdbScript = `import { DuckDBInstance } from '@duckdb/node-api';
const db = await (await DuckDBInstance.create(':memory:')).connect();
for (const sql of process.argv.slice(2)) await db.run(sql);
`

// duckdb returns a function that runs SQL. Where node, npm or the registry is absent it says so and
// skips the test. The package (70 MB) is installed once, in the user's cache folder.
func duckdb(t *testing.T) func(sql ...string) {
	t.Helper()
	notRun := func(format string, args ...any) {
		message := "NOT RUN: reading our files with DuckDB: " + fmt.Sprintf(format, args...)
		fmt.Println(message)
		t.Skip(message)
	}
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			notRun("%v", err)
		}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		notRun("%v", err)
	}
	dir := filepath.Join(cache, "synochess-tests", strings.NewReplacer("@", "", "/", "-").Replace(duckdbPackage))
	if _, err := os.Stat(filepath.Join(dir, "node_modules")); err != nil {
		if output, err := installNodePackage(dir, duckdbPackage); err != nil {
			notRun("npm install %s: %v\n%s", duckdbPackage, err, output)
		}
	}
	script := filepath.Join(dir, "run.mjs")
	if err := files.WriteBytes(script, []byte(duckdbScript)); err != nil {
		t.Fatal(err)
	}
	return func(sql ...string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if output, err := exec.CommandContext(ctx, "node", append([]string{script}, sql...)...).CombinedOutput(); err != nil {
			t.Fatalf("DuckDB: %v\n%s", err, output)
		}
	}
}

// installNodePackage installs a package to a folder that appears whole or not at all.
func installNodePackage(dir, name string) (output []byte, err error) {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return nil, err
	}
	fresh, err := os.MkdirTemp(filepath.Dir(dir), "install-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(fresh)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	output, err = exec.CommandContext(ctx, "npm", "install", "--prefix", fresh, "--no-fund", "--no-audit",
		"--ignore-scripts", "--fetch-retries=0", "--fetch-timeout=20000", name).CombinedOutput()
	if err != nil {
		return output, err
	}
	if err := os.Rename(fresh, dir); err != nil {
		if _, there := os.Stat(filepath.Join(dir, "node_modules")); there != nil {
			return nil, err
		}
	}
	return nil, nil
}

// TestDuckDBReadsEqualRows lets DuckDB write all columns of a file as JSON and compares every value.
func TestDuckDBReadsEqualRows(t *testing.T) {
	run := duckdb(t)
	games := append([]*Game{playedGame(t, "moddable", 1, 60)}, syntheticGames(t, 1, 2, 20, 30)...)
	dir := t.TempDir()
	path, out, tally := filepath.Join(dir, "a.parquet"), filepath.Join(dir, "rows.json"), filepath.Join(dir, "tally.json")
	if _, err := WriteFile(path, "v", each(games)); err != nil {
		t.Fatal(err)
	}
	run(fmt.Sprintf("COPY (SELECT * FROM read_parquet('%s')) TO '%s' (FORMAT json)", path, out),
		fmt.Sprintf("COPY (SELECT ending, count(DISTINCT game) AS n FROM read_parquet('%s') GROUP BY ending) TO '%s' (FORMAT json)", path, tally))

	var want []Row
	endings := map[string]int{}
	for _, g := range games {
		want = append(want, appendRows(nil, g)...)
		endings[g.Ending.String()]++
	}
	got := jsonLines(t, out)
	if len(got) != len(want) {
		t.Fatalf("%d rows, want %d", len(got), len(want))
	}
	for i := range want {
		if err := equalJSON(reflect.ValueOf(want[i]), got[i]); err != nil {
			t.Fatalf("row %d (game %d, ply %d): %v", i, want[i].Game, want[i].Ply, err)
		}
	}
	for _, line := range jsonLines(t, tally) {
		row := line.(map[string]any)
		if fmt.Sprint(row["n"]) != fmt.Sprint(endings[row["ending"].(string)]) {
			t.Errorf("%v games ended by %v, want %d", row["n"], row["ending"], endings[row["ending"].(string)])
		}
	}
}

func jsonLines(t *testing.T, path string) (lines []any) {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d := json.NewDecoder(bufio.NewReader(f))
	d.UseNumber()
	for d.More() {
		var v any
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, v)
	}
	return lines
}

// equalJSON compares a value with what JSON made of it; structs by their parquet tags.
func equalJSON(want reflect.Value, got any) error {
	switch want.Kind() {
	case reflect.Struct:
		object, ok := got.(map[string]any)
		if !ok {
			return fmt.Errorf("got %v", got)
		}
		fields := 0
		for _, f := range reflect.VisibleFields(want.Type()) {
			if f.Anonymous {
				continue
			}
			fields++
			name, _, _ := strings.Cut(f.Tag.Get("parquet"), ",")
			if err := equalJSON(want.FieldByIndex(f.Index), object[name]); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		if len(object) != fields {
			return fmt.Errorf("%d fields, want %d", len(object), fields)
		}
	case reflect.Slice:
		list, ok := got.([]any)
		if !ok || len(list) != want.Len() {
			return fmt.Errorf("got %v, want %d elements", got, want.Len())
		}
		for i, x := range list {
			if err := equalJSON(want.Index(i), x); err != nil {
				return fmt.Errorf("[%d]: %w", i, err)
			}
		}
	case reflect.Float32:
		x, err := strconv.ParseFloat(fmt.Sprint(got), 32)
		if err != nil || float32(x) != float32(want.Float()) {
			return fmt.Errorf("got %v, want %v", got, want)
		}
	default:
		if fmt.Sprint(got) != fmt.Sprint(want) {
			return fmt.Errorf("got %v, want %v", got, want)
		}
	}
	return nil
}
