// Holds values to the schema of a chart and renders it, with the libraries that Helm is made of: gojsonschema, text/template,
// sprig and sigs.k8s.io/yaml. It is not Helm: dependencies, hooks, files under .Files other than Get, and a cluster for lookup are not known here.
//
//	render <chart> <release> <namespace> [values.yaml ...]
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"github.com/xeipuuv/gojsonschema"
	"sigs.k8s.io/yaml"
)

type values = map[string]interface{}

type files struct{ root string }

// Get is what a template reads with .Files.Get: nothing, where there is no such file.
func (f files) Get(name string) string {
	content, err := os.ReadFile(filepath.Join(f.root, filepath.Clean("/"+name)))
	if err != nil {
		return ""
	}
	return string(content)
}

type versions []string

// Has is false for what only a cluster knows.
func (v versions) Has(name string) bool {
	for _, each := range v {
		if each == name {
			return true
		}
	}
	return false
}

func main() {
	if len(os.Args) < 4 {
		fail(errors.New("render <chart> <release> <namespace> [values.yaml ...]"))
	}
	chart := os.Args[1]
	set := read(filepath.Join(chart, "values.yaml"))
	for _, name := range os.Args[4:] {
		set = over(set, read(name))
	}
	if err := check(chart, set); err != nil {
		fail(err)
	}
	rendered, err := render(chart, values{
		"Values":  set,
		"Chart":   chartOf(read(filepath.Join(chart, "Chart.yaml"))),
		"Files":   files{chart},
		"Release": values{"Name": os.Args[2], "Namespace": os.Args[3], "Service": "Helm", "Revision": 1, "IsInstall": true, "IsUpgrade": false},
		"Capabilities": values{
			"APIVersions": versions{"v1", "apps/v1", "batch/v1"},
			"KubeVersion": values{"Version": "v1.30.0", "GitVersion": "v1.30.0", "Major": "1", "Minor": "30"},
		},
	})
	if err != nil {
		fail(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(rendered); err != nil {
		fail(err)
	}
}

// check refuses values as Helm does: after those of the operator are laid over those of the chart.
func check(chart string, set values) error {
	schema, err := os.ReadFile(filepath.Join(chart, "values.schema.json"))
	if err != nil {
		return err
	}
	result, err := gojsonschema.Validate(gojsonschema.NewBytesLoader(schema), gojsonschema.NewGoLoader(set))
	if err != nil {
		return err
	}
	said := []string{}
	for _, each := range result.Errors() {
		said = append(said, each.String())
	}
	if len(said) > 0 {
		return fmt.Errorf("%w: %s", errValues, strings.Join(said, "; "))
	}
	return nil
}

var errValues = errors.New("the values are refused")

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func read(name string) values {
	content, err := os.ReadFile(name)
	if err != nil {
		fail(err)
	}
	found := values{}
	if err := yaml.UnmarshalStrict(content, &found); err != nil {
		fail(fmt.Errorf("%s: %w", name, err))
	}
	return found
}

// over lays values over others, as Helm does: maps are merged, null takes a key away.
func over(below, above values) values {
	for name, value := range above {
		inner, isMap := value.(values)
		lower, wasMap := below[name].(values)
		switch {
		case value == nil:
			delete(below, name)
		case isMap && wasMap:
			below[name] = over(lower, inner)
		default:
			below[name] = value
		}
	}
	return below
}

// chartOf names the fields of Chart.yaml as templates do: .Chart.AppVersion.
func chartOf(written values) values {
	named := values{}
	for name, value := range written {
		named[strings.ToUpper(name[:1])+name[1:]] = value
	}
	return named
}

func render(chart string, top values) (map[string]string, error) {
	root := template.New("gotpl").Option("missingkey=zero")
	root.Funcs(functions(root))
	names, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	if err != nil {
		return nil, err
	}
	sort.Strings(names)
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if _, err := root.New(filepath.Base(name)).Parse(string(content)); err != nil {
			return nil, err
		}
	}
	rendered := map[string]string{}
	for _, name := range names {
		base := filepath.Base(name)
		if strings.HasPrefix(base, "_") {
			continue
		}
		top["Template"] = values{"Name": base, "BasePath": "templates"}
		var text bytes.Buffer
		if err := root.ExecuteTemplate(&text, base, top); err != nil {
			return nil, err
		}
		// Helm writes nothing there, and lint warns: a value that is not there is a mistake.
		if strings.Contains(text.String(), "<no value>") {
			return nil, fmt.Errorf("%s prints a value that is not there", base)
		}
		rendered[base] = text.String()
	}
	return rendered, nil
}

// What Helm adds to sprig's functions, and what it takes away.
func functions(root *template.Template) template.FuncMap {
	all := sprig.TxtFuncMap()
	delete(all, "env")
	delete(all, "expandenv")
	depth := map[string]int{}
	all["include"] = func(name string, data interface{}) (string, error) {
		if depth[name]++; depth[name] > 1000 {
			return "", fmt.Errorf("%s includes itself without an end", name)
		}
		defer func() { depth[name]-- }()
		var text strings.Builder
		err := root.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	all["tpl"] = func(text string, data interface{}) (string, error) {
		copied, err := root.Clone()
		if err != nil {
			return "", err
		}
		parsed, err := copied.New("tpl").Parse(text)
		if err != nil {
			return "", err
		}
		var written strings.Builder
		err = parsed.Execute(&written, data)
		return written.String(), err
	}
	all["toYaml"] = func(value interface{}) string {
		text, err := yaml.Marshal(value)
		if err != nil {
			return ""
		}
		return strings.TrimSuffix(string(text), "\n")
	}
	all["fromYaml"] = func(text string) values {
		found := values{}
		if err := yaml.Unmarshal([]byte(text), &found); err != nil {
			found["Error"] = err.Error()
		}
		return found
	}
	all["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(message)
		}
		return value, nil
	}
	all["fail"] = func(message string) (string, error) { return "", errors.New(message) }
	all["lookup"] = func(string, string, string, string) values { return values{} }
	return all
}
